import { requestVatCheck } from '#money/invoices/vat/vat-checks.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

type Details = RowOf<'client_entities'>

/** As the form reads it: a number that exists, written as from abroad, perhaps with an extension. */
async function isPhoneNumber(text: string): Promise<boolean> {
  // The numbering plans of all countries, which few requests have a use for.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  return parsePhoneNumberFromString(text, { extract: false })?.isValid() ?? false
}

/**
 * What follows from a change of somebody's billing details. A phone number that was there already stays as it is, so that
 * whoever saves the rest is not held up by it. Throws `phone_invalid` when a new one is none.
 */
export async function detailsChanged(context: Context, row: Details, before: Details): Promise<void> {
  const { phone_number } = row
  if (phone_number && phone_number !== before.phone_number && !(await isPhoneNumber(phone_number)))
    throw refuse('phone_invalid', {}, { source: { pointer: '/data/attributes/phone_number' } })
  await requestVatCheck(context, row, before)
}
