import { aloneHours, requestHours } from '@portico/contract/resources/desk-requests.ts'
import type { AlertNoun, AlertTopic } from '@portico/contract/rules/alert-topics.ts'
import { alertAdvice } from '@portico/contract/rules/alert-words.ts'
import { askedVerbs } from '@portico/contract/rules/asked-verbs.ts'
import { linkLifetimes } from '@portico/contract/rules/link-lifetimes.ts'
import { aboutIn, brand, factsIn, type Language, type LetterOf, pages } from './words.ts'

const topics: Readonly<Record<AlertTopic, string>> = {
  disputed: 'A payment is disputed',
  dispute_debt: 'A customer got money back twice',
  dispute_differs: 'A dispute does not match its payment',
  unknown_dispute: 'A dispute about an unknown payment',
  unknown_payment: 'A payment that was not requested',
  amount_differs: 'A payment arrived with a different amount',
  payment_currency: 'A payment arrived in the account’s former currency',
  charge_after_backup: 'A card was charged after the backup',
  charges_unknown: 'The charges since the backup are unknown',
  staff_looks: 'A member of staff opens many clients',
  refund_returned: 'A refund was returned',
  transfer_due: 'A refund waits to be sent by transfer',
  bank_money_unknown: 'Money at the bank waits for a decision',
  transfer_unseen: 'Recorded transfers are on no statement',
  einvoice_broken: 'A document has no electronic invoice',
  einvoice_access: 'The access to the tax office ends',
  einvoice_due_now: 'Documents for the tax office are due',
  einvoice_due_soon: 'Documents for the tax office are due soon',
  einvoice_missing: 'Documents have no electronic invoice',
  einvoice_refused: 'The tax office does not take documents',
  einvoice_rejected: 'The tax office has rejected a document',
  einvoice_unknown: 'The outcome of documents is not known',
  reconciliation: 'The payment provider does not match the ledger',
  ledger_differs: 'The ledger has discrepancies',
  billing_log_differs: 'The billing log does not match the ledger',
  usage_unpriced: 'Usage has no price',
  exchange_rate_missing: 'An exchange rate is missing',
  exchange_rate_unusual: 'An exchange rate looks unusual',
  bill_not_issued: 'A service bill could not be issued',
  vat_due_left: 'A customer’s VAT is not settled',
  vat_number_invalid: 'A customer’s VAT number is no longer valid',
  file_missing: 'A stored file is missing',
  file_damaged: 'A stored file is damaged',
  storage_full: 'The file storage is full',
  files_without_rows: 'Many stored files belong to nothing',
  archive_failed: 'The nightly archive of the database failed',
  job_failed: 'A job has failed permanently',
  check_failed: 'A check of the portal fails',
  engine_plan_differs: 'A hosting platform reports a different plan for a panel',
  plan_traffic_used: 'A panel has used the traffic of its plan',
  other: 'Something needs a decision',
}

const nouns: Readonly<Record<AlertNoun, string>> = {
  payment: 'payment',
  client: 'client',
  document: 'document',
  'ticket file': 'ticket file',
  'data export': 'data export',
  'usage of': 'usage of',
  'billing log': 'billing log',
  'e-invoices': 'electronic invoices',
  'bank lines': 'lines of the bank',
  files: 'stored files',
  database: 'the database',
  check: 'the check',
  panel: 'panel',
}

const roles: Readonly<Record<LetterOf['staff-invitation']['role'], string>> = {
  support: 'support',
  billing: 'billing',
  admin: 'administrator',
  readonly: 'read only',
}

/** English letters to staff. */
export const staffLetters: Pick<
  Language['letters'],
  | 'staff-alert'
  | 'staff-invitation'
  | 'staff-new-device'
  | 'staff-request'
  | 'settings-replaced'
  | 'test-letter'
> = {
  'staff-alert': ({ topic, about, facts: known }) => ({
    subject: topics[topic],
    say: [`It is about: ${aboutIn(nouns, about)}. ${alertAdvice[topic].en}`, ...factsIn('en', known)],
    after: ['You get this once for each case. Choose which e-mails you get here:'],
    other: { label: 'Notifications', path: pages.notices },
  }),
  'staff-new-device': ({ who }) => ({
    subject: 'A member of staff signed in from a new device',
    say: [`${who} signed in from a device that was not used before.`],
    button: { label: 'See the staff', path: pages.staff },
    after: ['If they do not know of it, end their sessions there at once.'],
  }),
  'staff-request': ({ by, verb, about, reason, isLonely }) => ({
    subject: `${by} asks for a second person: ${askedVerbs[verb].en}`,
    say: [
      `${by} asks for: ${askedVerbs[verb].en}. It is about: ${about}. The reason: ${reason}`,
      isLonely
        ? `There is no other administrator, so ${by} can approve it alone after ${aloneHours} hours.`
        : `An administrator approves or declines it within ${requestHours} hours.`,
    ],
    button: { label: 'See the request', path: pages.requests },
    after: ['If nobody can have asked for this, end the sessions of this person at the desk.'],
  }),
  'settings-replaced': ({ by, settings, reason }) => ({
    subject: `${by} replaces settings for mail or payments`,
    say: [`${by} replaces or removes: ${settings.join(', ')}. The reason: ${reason}`],
    button: { label: 'See the staff', path: pages.staff },
    after: [
      'If nobody can have wanted this, end the sessions of this person there, and enter the former values again: until then mail and payments may go to somebody else.',
    ],
  }),
  'test-letter': () => ({
    subject: `A test letter of ${brand}`,
    say: ['This letter was sent from the settings of the desk, so mail works.'],
    after: [],
  }),
  'staff-invitation': ({ role, link }) => ({
    subject: `You are invited to the ${brand} staff`,
    say: [
      `An administrator of ${brand} invites you to work there, with the role: ${roles[role]}.`,
      'You choose a password or a passkey, and then turn on two-factor authentication.',
    ],
    button: { label: 'Accept the invitation', path: link },
    after: [
      `The link works once, for ${linkLifetimes.staffInvitation} hours.`,
      'If you do not know what this is about, ignore this message: nothing will happen.',
    ],
  }),
}
