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

/**
 * Runs after a change of billing details. An unchanged phone number is not validated, so that it cannot block
 * saving the rest. Throws `phone_invalid` for an invalid new one.
 */
export async function detailsChanged(context: Context, row: Details, before: Details): Promise<void> {
  const { phone_number } = row
  if (phone_number && phone_number !== before.phone_number && !(await isPhoneNumber(phone_number)))
    throw refuse('phone_invalid', {}, { source: { pointer: '/data/attributes/phone_number' } })
  await requestVatCheck(context, row, before)
}
