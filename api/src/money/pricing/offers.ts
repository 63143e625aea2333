import type { plans } from '@portico/contract/resources/plans.ts'
import type { VatDecision } from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { operatorIfSet } from '#money/invoices/parties.ts'
import { decideVat, vatOn } from '#money/invoices/vat/vat.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { type PriceView, priceView } from '#workspaces/plans/price-view.ts'
import { dailyPart, daysOfMonth, hourlyPart } from './plan-fee.ts'
import { limitsOfPlan } from './plan-limits.ts'

type Offers = typeof plans.actions.offers
type Answer = z.input<Offers['output']>
type Offer = Answer['plans'][number]
type Row = Omit<Offer, 'monthly' | 'monthly_gross' | 'daily' | 'hourly'> & {
  monthly: string
  daily: string
  hourly: string
}

/** SQL: the first day on which another price of the plan begins for the client, and that price. */
const next = ({ client, currency }: { client: number; currency: string }) => sql`(
  select json_build_object('monthly', x.monthly, 'from', d.day)
  from (
    select unnest(array[lower(x.valid), upper(x.valid)]) as day from plan_prices x where x.plan_id = plans.id
    union select unnest(array[lower(o.valid), upper(o.valid)]) from client_price_lists o where o.client_id = ${client}
  ) d cross join lateral plan_price(${client}, ${currency}, plans.id, d.day) x
  where d.day > clock_today() and x.monthly <> f.monthly order by d.day limit 1)`

/** SQL: what the meters cost under the plan, and how much of each is included. */
const meters = ({ client, currency }: { client: number; currency: string }) => sql`(
  select coalesce(json_agg(json_build_object('meter', m.code, 'unit', m.unit, 'unit_price', x.unit_price,
    'included_per_day', x.included_per_day) order by m.id), '[]')
  from meters m cross join lateral usage_price(${client}, ${currency}, m.id, '', clock_today(), plans.id) x
  where not m.by_portal)`

async function rowsOf(tx: Database, of: { client: number; currency: string }): Promise<readonly Row[]> {
  const { rows } =
    await sql<Row>`select plans.id, code, name_en, name_ro, description_en, description_ro, kind, needs_domain,
      ${limitsOfPlan} as limits, exists (select from plan_carriers(plans.id)) as available,
      array(select distinct unnest(regions) from plan_carriers(plans.id) order by 1) as regions,
      f.monthly, ${dailyPart('f.monthly')} as daily, ${hourlyPart('f.monthly')} as hourly,
      ${next(of)} as next, ${meters(of)} as meters
    from plans
    cross join lateral plan_price(${of.client}, ${of.currency}, plans.id, clock_today()) f
    cross join ${daysOfMonth}
    where state = 'offered' order by position, code`.execute(tx)
  return rows
}

/** An offer as a reader sees it who may not know the prices. */
const withoutPrices = (row: Row): Offer => ({
  ...row,
  monthly: null,
  monthly_gross: null,
  daily: null,
  hourly: null,
  next: null,
  meters: [],
})

const withPrices =
  (vat: VatDecision | null, currency: string) =>
  (row: Row): Offer => ({
    ...row,
    monthly: Number(row.monthly),
    monthly_gross: vat && Number(vatOn(new Big(row.monthly), vat.rate, currency).plus(row.monthly)),
    daily: Number(row.daily),
    hourly: Number(row.hourly),
  })

export const shownVat = ({ treatment, country, rate }: VatDecision) => ({
  treatment,
  country,
  rate: Number(rate),
})

/** The VAT of a consumer in a country; null while the operator is not set or the rate is not known. */
async function consumerVat(tx: Database, country: string): Promise<VatDecision | null> {
  const operator = await operatorIfSet(tx)
  if (!operator) return null
  const buyer = { country, zip_code: '', company: false, vat_number: null }
  const { decision } = await decideVat(tx, { operator, buyer, clientId: 0, on: operator.today })
  return decision
}

/** The codes of all countries, of which the one that is asked for must be one. */
async function countriesWith(tx: Database, asked: string | undefined): Promise<string[]> {
  const found = await tx.selectFrom('countries').select('code').orderBy('code').execute()
  const codes = found.map(({ code }) => code)
  if (asked !== undefined && !codes.includes(asked))
    throw refuse('country_unknown', {}, { source: { parameter: 'payload.country' } })
  return codes
}

/** The currencies that are offered, and the one of a new account in the country. */
async function currenciesIn(tx: Database, country: string | null) {
  const { rows } = await sql<{ codes: string[]; usual: string }>`
    select array(select u.code from currencies_offered() with ordinality o (id, place) join currencies u on u.id = o.id
        order by o.place) as codes,
      (select code from currencies where id = currency_for((select id from countries where code = ${country}))) as usual`.execute(
    tx,
  )
  return rows[0] ?? { codes: [], usual: '' }
}

/** The currency of the answer: the one that is asked for, the account's, or what is usual in the country. */
function chosen(
  { currency }: z.output<Offers['input']>,
  view: PriceView,
  { codes: currencies, usual }: { readonly codes: readonly string[]; readonly usual: string },
): string {
  if (currency !== undefined && !currencies.includes(currency))
    throw refuse(
      'currency_not_sold',
      { currency, currencies: currencies.join(', ') },
      { source: { parameter: 'payload.currency' } },
    )
  return currency ?? view.currency ?? usual
}

/** The plans that a reader may add, with the prices that the reader may see. */
export async function offers(
  context: Context,
  { input }: { readonly input: z.output<Offers['input']> },
): Promise<Answer> {
  const { tx } = context
  const view = await priceView(context, input.client_id)
  const offered = await currenciesIn(tx, input.country ?? null)
  const currencies = offered.codes
  const currency = chosen(input, view, offered)
  const countries = await countriesWith(tx, input.country)
  const vat = input.country === undefined ? null : await consumerVat(tx, input.country)
  const found = await rowsOf(tx, { client: view.client, currency })
  return {
    currency,
    currencies,
    countries,
    vat: vat && shownVat(vat),
    plans: found.map(view.shown ? withPrices(vat, currency) : withoutPrices),
  }
}
