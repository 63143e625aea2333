import type { plans } from '@portico/contract/resources/plans.ts'
import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import Big from 'big.js'
import type * as z from 'zod/mini'
import { forecastOf } from '#money/balance/forecast.ts'
import { operatorIfSet } from '#money/invoices/parties.ts'
import { decideVat, vatOn } from '#money/invoices/vat/vat.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { offeredPlan } from '#workspaces/adding/offered-plan.ts'
import { lackingFor, lacksFor, tooLow } from '#workspaces/plans/money-ahead.ts'
import { priceView } from '#workspaces/plans/price-view.ts'
import { shownVat } from './offers.ts'
import { planFee } from './plan-fee.ts'

type Quote = typeof plans.actions.quote
type Answer = z.input<Quote['output']>

/** VAT on an amount for a client, by their billing details; null while the country or its rate is not known. */
export async function vatForClient(
  tx: Database,
  clientId: number,
  { net, currency }: { readonly net: string; readonly currency: string },
): Promise<Answer['vat']> {
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
  const amount = vatOn(new Big(net), decision.rate, currency)
  return { ...shownVat(decision), amount: Number(amount), gross: Number(amount.plus(net)) }
}

/** The daily use and the runway of an account, before and after it uses more. */
export async function runway(tx: Database, client: number, more: { daily: string; atOnce: string }) {
  const before = await forecastOf(tx, client)
  const after = await forecastOf(tx, client, more)
  return {
    daily_use: { before: before.daily_use, after: after.daily_use },
    exhaustion_date: { before: before.exhaustion_date, after: after.exhaustion_date },
  }
}

/** Checks the account's status and balance for a new panel of the plan. */
async function possible({ tx, actor }: Context, client: number, plan: number) {
  const account = await tx
    .selectFrom('clients as c')
    .innerJoin('currencies as u', 'u.id', 'c.currency_id')
    .select(['u.code as currency', 'c.billing_status', 'c.stopped_at'])
    .where('c.id', '=', client)
    .executeTakeFirst()
  if (!account) return { can: false, obstacles: [], lacks: null }
  const fee = await planFee(tx, { client, currency: account.currency, plan })
  const lacking = await lackingFor(tx, client, fee?.daily ?? 0)
  const problems = [
    ...(account.billing_status >= billingStatus.suspended ? [refuse('account_suspended')] : []),
    ...(account.stopped_at === null ? [] : [refuse('account_stopped')]),
    ...(lacking ? [tooLow(actor, client, lacking)] : []),
  ]
  return {
    can: problems.length === 0,
    obstacles: problems.map((one) => {
      const { code, detail } = one.toObject(actor.language)
      return { code, detail }
    }),
    lacks: lacksFor(actor, client, lacking),
  }
}

/** Quotes a new panel of a plan, and whether the account can add it now. Reads only. */
export async function quotePlan(
  context: Context,
  { input }: { readonly input: z.output<Quote['input']> },
): Promise<Answer> {
  const { tx, actor } = context
  const { client, currency = '', shown } = await priceView(context, input.client_id)
  const plan = await offeredPlan(tx, input.plan, { parameter: 'payload.plan' })
  const of = { plan: plan.code, currency, ...(await possible(context, input.client_id ?? actor.id, plan.id)) }
  const nothing = { monthly: null, daily: null, hourly: null, rest_of_month: null }
  const unknown = { vat: null, daily_use: null, exhaustion_date: null }
  // The currency of the account may not be sold in; nothing can be said before it has another.
  const fee = shown ? await planFee(tx, { client, currency, plan: plan.id }) : undefined
  if (fee === undefined) return { ...of, ...nothing, ...unknown }
  const prices = {
    monthly: Number(fee.monthly),
    daily: Number(fee.daily),
    hourly: Number(fee.hourly),
    rest_of_month: Number(fee.rest_of_month),
  }
  if (client === 0) return { ...of, ...prices, ...unknown }
  return {
    ...of,
    ...prices,
    vat: await vatForClient(tx, client, { net: fee.monthly, currency }),
    ...(await runway(tx, client, { daily: fee.daily, atOnce: fee.first_hour })),
  }
}
