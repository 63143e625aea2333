import { keptIdentifiers } from '#money/invoices/vat/tax-identifiers.ts'
import type { Context, RowOf } from '#platform/context.ts'

/**
 * Copies registration details to the client and the billing details. Omitted values do not clear existing
 * ones. Completes a registration through Google. Throws `vat_number_impossible` and
 * `registration_number_impossible`.
 */
export async function saveRegistrationDetails(
  { tx }: Pick<Context, 'tx'>,
  details: RowOf<'register_details'>,
): Promise<void> {
  // An existing county belongs to the previous country.
  const place =
    details.country_id === null ? {} : { country_id: details.country_id, county_id: details.county_id }
  const { company_name, phone_number, address1, address2, city, state, zip_code } = details
  const identifiers = await keptIdentifiers(tx, details)
  const given = {
    company_name,
    ...identifiers,
    vat_number_typed: identifiers.vat_number && details.vat_number,
    phone_number,
    address1,
    address2,
    city,
    state,
    zip_code,
  }
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const entity = { ...known, ...place, account_type: details.account_type }
  await tx
    .insertInto('client_entities')
    .values({ client_id: details.client_id, ...entity })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(entity))
    .execute()
  // After the billing details, whose country may wait for the account's books, as evaluations of the balance do.
  await tx
    .updateTable('clients')
    .set({ first_name: details.first_name, last_name: details.last_name, google_process: 1 })
    .where('id', '=', details.client_id)
    .execute()
}
