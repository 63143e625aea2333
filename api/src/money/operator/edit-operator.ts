import type { operatorProfiles } from '@portico/contract/resources/operator-profiles.ts'
import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { ibanOf } from '#money/corrections/iban.ts'
import { keptIdentifiers } from '#money/invoices/vat/tax-identifiers.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Input = z.output<(typeof operatorProfiles.actions)['editOperator']['input']>

const at = (field: string) => ({ source: { pointer: `/data/${field}` } })

/** The id of the country. Throws `country_unknown`, `county_of_other_country`, `operator_county_required`, `billing_sector_invalid`. */
async function assertPlace(tx: Database, { country, county_code, city }: Input): Promise<number> {
  const found = await tx.selectFrom('countries').select('id').where('code', '=', country).executeTakeFirst()
  if (!found) throw refuse('country_unknown', {}, at('country'))
  if (county_code === null) {
    if (country === 'RO') throw refuse('operator_county_required', {}, at('county_code'))
    return found.id
  }
  const county = await tx
    .selectFrom('counties')
    .select('id')
    .where('code', '=', county_code)
    .where('country_id', '=', found.id)
    .executeTakeFirst()
  if (!county) throw refuse('county_of_other_country', {}, at('county_code'))
  // BR-RO-100: in Bucharest the city is the sector.
  if (county_code === 'RO-B' && !/^SECTOR[1-6]$/.test(city.replaceAll(/\s/g, '').toUpperCase()))
    throw refuse('billing_sector_invalid', {}, at('city'))
  return found.id
}

/** Throws `time_zone_unknown`: PostgreSQL computes the day of a document, and may know fewer zones. */
async function assertTimeZone(tx: Database, timeZone: string): Promise<void> {
  const { rows } = await sql`select from pg_timezone_names where name = ${timeZone}`.execute(tx)
  if (rows.length === 0) throw refuse('time_zone_unknown', {}, at('time_zone'))
}

/** Throws `operator_fixed`: amounts and taxes of issued documents are kept in this currency and by the rules of this country. */
async function assertUnfixed(tx: Database, { country, base_currency }: Input): Promise<void> {
  const { rows } = await sql<{ at: string }>`
    select case when o.country <> ${country} then 'country' else 'base_currency' end as at from operator_profile o
    where (o.country <> ${country} or o.base_currency <> ${base_currency})
      and exists (select from invoices where issued_at is not null and kind <> 'proforma')`.execute(tx)
  if (rows[0]) throw refuse('operator_fixed', {}, at(rows[0].at))
}

/**
 * The action of administrators that sets the company of documents. A transaction that issues one reads the table and holds it until its
 * commit, so the lock waits for it.
 * Throws `recent_sign_in_required`, `operator_fixed`, and a refusal for each value that documents cannot carry.
 */
export async function editOperator(context: Context, { input }: { readonly input: Input }) {
  const { tx } = context
  assertRecentSignIn(context)
  const country_id = await assertPlace(tx, input)
  await assertTimeZone(tx, input.time_zone)
  await sql`lock table operator_profile in access exclusive mode`.execute(tx)
  await assertUnfixed(tx, input)
  const { vat_number, registration_number, commerce_code } = await keptIdentifiers(
    tx,
    {
      account_type: companyAccount,
      country_id,
      vat_number: input.vat_number,
      registration_number: input.tax_number,
      commerce_code: input.commerce_code,
    },
    (field) => at(field === 'registration_number' ? 'tax_number' : field),
  )
  const row = {
    ...input,
    vat_number,
    commerce_code,
    iban: input.iban === null ? null : ibanOf(input.iban),
    tax_number: registration_number ?? input.tax_number,
    oss_threshold: String(input.oss_threshold),
  }
  await tx
    .insertInto('operator_profile')
    .values(row)
    .onConflict((conflict) => conflict.column('only_one').doUpdateSet(row))
    .execute()
  return { legal_name: input.legal_name }
}
