import { keptIdentifiers } from '#money/invoices/vat/tax-identifiers.ts'
import { requestVatCheck } from '#money/invoices/vat/vat-checks.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

type Details = RowOf<'client_entities'>

/** Whether the text is an existing phone number in international form, perhaps with an extension. */
async function isPhoneNumber(text: string): Promise<boolean> {
  // The numbering plans of all countries; loaded on use, because few requests need them.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  return parsePhoneNumberFromString(text, { extract: false })?.isValid() ?? false
}

const identifying = [
  'account_type',
  'country_id',
  'vat_number',
  'registration_number',
  'commerce_code',
] as const

/**
 * Keeps changed tax identifiers in their common form. Unchanged ones are not validated, so that they cannot
 * block saving the rest.
 */
async function keepIdentifiers({ tx }: Context, row: Details, before: Details): Promise<Details> {
  if (identifying.every((name) => row[name] === before[name])) return row
  const kept = await keptIdentifiers(tx, row)
  const vat_number_typed =
    row.vat_number === before.vat_number ? row.vat_number_typed : kept.vat_number && row.vat_number
  await tx
    .updateTable('client_entities')
    .set({ ...kept, vat_number_typed })
    .where('id', '=', row.id)
    .execute()
  return { ...row, ...kept, vat_number_typed }
}

/**
 * Runs after a change of billing details. An unchanged phone number is not validated, so that it cannot block
 * saving the rest. Throws `phone_invalid` for an invalid new one, and `vat_number_impossible` and
 * `registration_number_impossible`.
 */
export async function detailsChanged(
  context: Context,
  row: Details,
  before: Details,
  sent: { readonly vat_number?: unknown },
): Promise<void> {
  const { phone_number } = row
  if (phone_number && phone_number !== before.phone_number && !(await isPhoneNumber(phone_number)))
    throw refuse('phone_invalid', {}, { source: { pointer: '/data/attributes/phone_number' } })
  await requestVatCheck(context, await keepIdentifiers(context, row, before), { before, sent })
}
