import { m } from './compiled/messages.js'

const known: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/^Project name is required$/, () => m.fault_project_name()],
  [/^Panel name is required$/, () => m.fault_panel_name()],
  [/^First name is required$/, () => m.fault_first_name()],
  [/^Last name is required$/, () => m.fault_last_name()],
  [/^E-mail is required$/, () => m.fault_email_required()],
  [/^Not a valid e-mail address$/, () => m.fault_email()],
  [/^Password is required$/, () => m.fault_password()],
  [/^Accept the terms to go on$/, () => m.fault_terms()],
  [/^Company name is required$/, () => m.fault_company_name()],
  [/^Not a valid phone number$/, () => m.fault_phone()],
  [/^A code is required$/, () => m.fault_code()],
  [/^Name is required$/, () => m.fault_name()],
  [/^Not an IP address or a network in CIDR notation$/, () => m.fault_api_address()],
  [/^Name at least one address$/, () => m.fault_api_address_missing()],
  [/^Choose at least one$/, () => m.fault_api_scope_missing()],
  [/^At most (\d+) keys can be active\./, ([, max]) => m.fault_api_keys_most({ max: max ?? '' })],
  [/^A name is required$/, () => m.fault_name()],
  [/^At least (\d+) characters$/, ([, min]) => m.fault_short({ min: min ?? '' })],
  [/^At most (\d+) addresses$/, ([, max]) => m.fault_emails_most({ max: max ?? '' })],
  [/^Not a list of valid e-mail addresses$/, () => m.fault_emails()],
  [/^At most (\d+) characters$/, ([, max]) => m.fault_length({ max: max ?? '' })],
  [/^You already have a workspace of this name\.$/, () => m.fault_workspace_taken()],
  [/^This workspace already has a panel of this name\.$/, () => m.fault_panel_taken()],
  [/^This panel is suspended\.$/, () => m.fault_panel_suspended()],
  [/^This panel is not ready yet\.$/, () => m.fault_panel_not_ready()],
  [/^What you may do in this panel has changed\./, () => m.fault_panel_changed()],
  [/^The engine of this panel /, () => m.fault_engine_away()],
  [/^The code is wrong, or was used already\.$/, () => m.code_refused()],
  [/^This is your address already$/, () => m.fault_email_same()],
  [/^Your current password is required$/, () => m.fault_password()],
  [/^This is not your current password$/, () => m.fault_password_current()],
  [/^This is one of the passwords that are tried first\./, () => m.fault_password_common()],
  [/^This is little more than your name,/, () => m.fault_password_personal()],
  [/^This is the only way to sign in\./, () => m.fault_way_in()],
  [/^You have invited this person already\.$/, () => m.fault_invited_already()],
  [/^This is your own address\.$/, () => m.fault_invited_self()],
  [/^Too many invitations were sent today\./, () => m.fault_invitations_today()],
  [
    /^(.+) has not allowed you to add panels\.$/,
    ([, owner]) => m.fault_not_allowed_add({ owner: owner ?? '' }),
  ],
  [
    /^(.+) has not allowed you to change panels\.$/,
    ([, owner]) => m.fault_not_allowed_change({ owner: owner ?? '' }),
  ],
  [
    /^(.+) has not allowed you to delete panels\.$/,
    ([, owner]) => m.fault_not_allowed_delete({ owner: owner ?? '' }),
  ],
  [/^This panel is being deleted\.$/, () => m.fault_panel_deleting()],
  [/^This workspace still holds panels\./, () => m.fault_workspace_full()],
  [/^This is your only workspace\./, () => m.fault_workspace_last()],
  [/^Subject is required$/, () => m.fault_subject()],
  [/^Description is required$/, () => m.fault_description()],
  [/^A message is required$/, () => m.fault_message()],
  [/^Expected MM\/YY$/, () => m.fault_expiry()],
  [/^Expected the number of a card$/, () => m.fault_card_number()],
  [/^Expected three or four digits$/, () => m.fault_cvc()],
  [/^The sandbox takes its own test cards only\./, () => m.fault_card_listed()],
  [/^Automatic payment uses this card\./, () => m.fault_card_automatic()],
  [/^A payment with this card is not finished yet\.$/, () => m.fault_card_busy()],
  [/^The name of the company is missing\.$/, () => m.needs_company()],
  [/^The address is missing\.$/, () => m.needs_address()],
  [/^The city is missing\.$/, () => m.needs_city()],
  [/^The post code is missing\.$/, () => m.needs_zip()],
  [/^The country is missing\.$/, () => m.needs_country()],
  [/^The county is missing\.$/, () => m.needs_county()],
  [/^In Bucharest the city is SECTOR1/, () => m.needs_sector()],
  [/^Contains characters that cannot be shown$/, () => m.fault_characters()],
]

/** A message of the contract's rules in the person's language; what the server says beyond them is shown as it is. */
export function faultInWords(message: string): string {
  for (const [pattern, say] of known) {
    const match = pattern.exec(message)
    if (match) return say(match)
  }
  return message
}
