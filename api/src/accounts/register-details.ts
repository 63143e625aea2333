import type { Context, RowOf } from '#platform/context.ts'

/**
 * Copies registration details to the client and the billing details. Omitted values do not clear existing
 * ones. Completes a registration through Google.
 */
export async function saveRegistrationDetails(
  { tx }: Pick<Context, 'tx'>,
  told: RowOf<'register_details'>,
): Promise<void> {
  // An existing county belongs to the previous country.
  const place = told.country_id === null ? {} : { country_id: told.country_id, county_id: told.county_id }
  const { company_name, vat_number, commerce_code, phone_number, address1, address2, city, state, zip_code } =
    told
  const given = {
    company_name,
    vat_number,
    commerce_code,
    phone_number,
    address1,
    address2,
    city,
    state,
    zip_code,
  }
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const entity = { ...known, ...place, account_type: told.account_type }
  await tx
    .insertInto('client_entities')
    .values({ client_id: told.client_id, ...entity })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(entity))
    .execute()
  // After the billing details, whose country may wait for the account's books, as evaluations of the balance do.
  await tx
    .updateTable('clients')
    .set({ first_name: told.first_name, last_name: told.last_name, google_process: 1 })
    .where('id', '=', told.client_id)
    .execute()
}
