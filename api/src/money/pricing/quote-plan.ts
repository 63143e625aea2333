import type { plans } from '@portico/contract/resources/plans.ts'
import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { forecast } from '#money/balance/forecast.ts'
import { operatorIfSet } from '#money/invoices/parties.ts'
import { decideVat, vatOn } from '#money/invoices/vat/vat.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { offeredPlan } from '#workspaces/adding/offered-plan.ts'
import { priceView } from '#workspaces/plans/price-view.ts'
import { shownVat } from './offers.ts'

type Quote = typeof plans.actions.quote
type Answer = z.input<Quote['output']>

/** VAT on an amount for a client, by their billing details; null while the country or its rate is not known. */
export async function vatForClient(tx: Database, clientId: number, net: string): Promise<Answer['vat']> {
  const operator = await operatorIfSet(tx)
  const found = await tx
    .selectFrom('client_entities as e')
    .innerJoin('countries as n', 'n.id', 'e.country_id')
    .select(['n.code as country', 'e.zip_code', 'e.account_type', 'e.vat_number'])
    .where('e.client_id', '=', clientId)
    .executeTakeFirst()
  if (!operator || !found) return null
  const { country, zip_code, account_type, vat_number } = found
  const buyer = { country, zip_code: zip_code ?? '', company: account_type === companyAccount, vat_number }
  const { decision } = await decideVat(tx, { operator, buyer, clientId, on: operator.today })
  if (!decision) return null
  const amount = vatOn(new Big(net), decision.rate)
  return { ...shownVat(decision), amount: Number(amount), gross: Number(amount.plus(net)) }
}

/** How much more a plan costs a day, and until when the balance lasts without it and with it. */
async function runway(tx: Database, client: number, daily: number) {
  const before = await forecast({ tx }, client, {})
  const after = await forecast({ tx }, client, { extra_daily: daily })
  return {
    daily_use: { before: before.daily_use, after: after.daily_use },
    exhaustion_date: { before: before.exhaustion_date, after: after.exhaustion_date },
  }
}

/** Quotes a new panel of a plan. Reads only. */
export async function quotePlan(
  context: Context,
  { input }: { readonly input: z.output<Quote['input']> },
): Promise<Answer> {
  const { tx } = context
  const { client, currency = '', shown } = await priceView(context, input.client_id)
  const plan = await offeredPlan(tx, input.plan, { parameter: 'payload.plan' })
  const nothing = { monthly: null, daily: null, hourly: null, rest_of_month: null }
  const unknown = { vat: null, daily_use: null, exhaustion_date: null }
  if (!shown) return { plan: plan.code, currency, ...nothing, ...unknown }
  const { rows } = await sql<{ monthly: string; daily: string; hourly: string; rest_of_month: string }>`
    select f.monthly, round(f.monthly / m.days, 6) as daily, round(f.monthly / m.days / 24, 6) as hourly,
      plan_rest(${client}, ${currency}, ${plan.id}, clock_now()) as rest_of_month
    from plan_price(${client}, ${currency}, ${plan.id}, clock_today()) f
    cross join (select days_of_month(clock_today()) as days) m`.execute(tx)
  const [row] = rows
  // The currency of the account is not sold in, so nothing can be said before it has another.
  if (row === undefined) return { plan: plan.code, currency, ...nothing, ...unknown }
  const fee = {
    monthly: Number(row.monthly),
    daily: Number(row.daily),
    hourly: Number(row.hourly),
    rest_of_month: Number(row.rest_of_month),
  }
  if (client === 0) return { plan: plan.code, currency, ...fee, ...unknown }
  return {
    plan: plan.code,
    currency,
    ...fee,
    vat: await vatForClient(tx, client, row.monthly),
    ...(await runway(tx, client, fee.daily)),
  }
}
