import type { vatRates } from '@portico/contract/resources/vat-rates.ts'
import { taxGapsOf } from '@portico/contract/rules/tax/tax-gaps.ts'
import { members } from '@portico/contract/rules/vat.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { operatorIfSet } from '#money/invoices/parties.ts'
import { sellerOf } from '#money/invoices/vat/vat.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { saidDay } from '#platform/errors/said-day.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Input = z.output<(typeof vatRates.actions)['setRate']['input']>

/** Throws `country_unknown`. */
async function assertCountry(tx: Database, code: string): Promise<void> {
  const found = await tx.selectFrom('countries').select('id').where('code', '=', code).executeTakeFirst()
  if (!found) throw refuse('country_unknown', {}, { source: { pointer: '/data/country' } })
}

/** Throws `vat_rate_on_documents` where documents state the tax of the country for the day or a later one. */
async function assertNoDocuments(tx: Database, { country, from }: Input): Promise<void> {
  const { rows } = await sql`select from invoices where issued_at is not null and kind <> 'proforma'
    and tax_point_date >= ${from}::date
    and vat_groups @> ${JSON.stringify([{ country, category: 'S' }])}::jsonb limit 1`.execute(tx)
  if (rows.length > 0)
    throw refuse(
      'vat_rate_on_documents',
      { country, day: saidDay(from) },
      { source: { pointer: '/data/from' } },
    )
}

/**
 * The action of administrators that changes a rate from a day on, until the next known change. A transaction that decides about VAT
 * reads the table and holds it until its document is issued, so the lock waits for it, and it for the new rate. Throws
 * `recent_sign_in_required`, `country_unknown`, `vat_rate_on_documents`.
 */
export async function setRate(context: Context, { input }: { readonly input: Input }) {
  const { tx } = context
  assertRecentSignIn(context)
  const { country, region = '', from, rate, reduced = [], source } = input
  await assertCountry(tx, country)
  await sql`lock table vat_rates in access exclusive mode`.execute(tx)
  await assertNoDocuments(tx, input)
  await sql`delete from vat_rates where country = ${country} and region = ${region} and lower(valid) = ${from}::date`.execute(
    tx,
  )
  await sql`update vat_rates set valid = daterange(lower(valid), ${from}::date)
    where country = ${country} and region = ${region} and valid @> ${from}::date`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    insert into vat_rates (country, region, valid, rate, reduced, source)
    select ${country}, ${region}, daterange(${from}::date, (select min(lower(valid)) from vat_rates
        where country = ${country} and region = ${region} and lower(valid) > ${from}::date)),
      ${String(rate)}::numeric, ${reduced.map(String)}::numeric[], ${source}
    returning id`.execute(tx)
  const [made] = rows
  if (!made) throw new Error('An insert returned no row.')
  return made
}

/** Cases that the tax rules do not support for the operator. */
export async function gapsOfOperator({ tx }: Context) {
  const operator = await operatorIfSet(tx)
  if (!operator) return { country: null, gaps: [] }
  const seller = await sellerOf(tx, operator)
  const { rows } = await sql<{ home: boolean; members: boolean }>`
    select coalesce(bool_or(country = ${seller.country}), false) as home,
      count(*) filter (where country = any(${members}::text[])) = ${members.length} as members
    from vat_rates where region = '' and valid @> ${operator.today}::date`.execute(tx)
  const [known = { home: false, members: false }] = rows
  return { country: seller.country, gaps: taxGapsOf(seller, known) }
}
