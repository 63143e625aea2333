import Big from 'big.js'
import { sql } from 'kysely'
import { rounded } from '#money/minor-units.ts'
import { autoKeyOf } from '#money/payments/job-keys.ts'
import { openBills } from '#money/payments/payment-price.ts'
import type { PaymentScope } from '#money/payments/payment-scope.ts'
import { advancePayment, isTryingOut } from '#money/payments/payments.ts'
import { pricedRow } from '#money/payments/start-payment.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { Problem, Problems } from '#platform/errors/problem.ts'
import { clientStatus } from '#reference/client-status.ts'
import { type Decision, lockRule, recordDecision } from './outcome.ts'
import { cardOf, refusedToday } from './rule-cards.ts'
import { objection, type Standing, standing } from './standing.ts'

type Rule = RowOf<'automated_billing_rules'>

type Amount = { readonly net: Big; readonly withBills: boolean }

/**
 * The smallest multiple of the recharge amount that lifts the available amount to the threshold, after the
 * payment of open bills, which lifts it too; capped by the rest of the monthly limit. Undefined when the rest
 * is too small.
 */
export function rechargeFor(
  rule: Pick<Rule, 'threshold_amount' | 'recharge_amount' | 'monthly_cap'>,
  {
    available,
    charged,
    least: leastCharge,
    currency,
  }: Omit<Standing, 'resting' | 'cooling' | 'open' | 'held'>,
  bills: readonly { readonly net: string; readonly total: string; readonly due: string }[],
): Amount | undefined {
  const billed = bills.reduce(
    (sum, { net, total, due }) => sum.plus(new Big(due).times(net).div(total)),
    new Big(0),
  )
  const lacking = new Big(rule.threshold_amount).minus(available).minus(billed)
  const times = lacking.div(rule.recharge_amount).round(0, Big.roundUp)
  const least = bills.length > 0 ? 0 : 1
  const wanted = new Big(rule.recharge_amount).times(times.lt(least) ? least : times)
  if (rule.monthly_cap === null) return { net: wanted, withBills: bills.length > 0 }
  const left = new Big(rule.monthly_cap).minus(charged).minus(rounded(billed, currency, Big.roundUp))
  // Bills that exceed the limit by themselves are left to the person.
  if (left.lt(wanted.eq(0) ? 0 : leastCharge)) return undefined
  return {
    net: wanted.gt(left) ? rounded(left, currency, Big.roundDown) : wanted,
    withBills: bills.length > 0,
  }
}

/** Whether staff blocked the client: a card that may be stolen is not charged. */
async function isBlocked(tx: Database, clientId: number): Promise<boolean> {
  const { status } = await tx
    .selectFrom('clients')
    .select('status')
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow()
  return status === clientStatus.blocked
}

/** Creates the payment to charge; a failure to price it is a decision too. */
async function intend(tx: Database, rule: Rule, now: Standing): Promise<Decision> {
  const { available } = now
  const no = (reason: string): Decision => ({ outcome: 'not_charged', reason, available })
  const card = await cardOf(tx, rule)
  if (!card) return no('no_card')
  if ((await refusedToday(tx, card.id)) || (await isTryingOut(tx, rule.client_id)))
    return no('waits_to_try_again')
  const amount = rechargeFor(rule, now, await openBills(tx, rule.client_id, { free: true }))
  if (!amount) return no('monthly_cap')
  const wish = { clientId: rule.client_id, net: amount.net.toFixed(2), withBills: amount.withBills }
  await sql`savepoint priced`.execute(tx)
  const priced = await pricedRow(tx, wish).catch(async (error: unknown) => {
    await sql`rollback to savepoint priced`.execute(tx)
    // The person has to complete something first, so this is no error.
    if (error instanceof Problem) return error.code
    if (error instanceof Problems) return error.all[0]?.code ?? 'unavailable'
    throw error
  })
  if (typeof priced === 'string') return no(priced)
  const { id } = await tx
    .insertInto('payments')
    .values({
      ...priced,
      purpose: 'auto_recharge',
      off_session: true,
      card_id: card.id,
      provider: card.provider,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { outcome: 'charged', reason: 'below_threshold', available, amount: priced.gross, paymentId: id }
}

/**
 * Evaluates an account with automatic billing, records the decision, and charges. Safe under concurrency: one
 * payment is open at a time. Returns the decision, undefined when there is nothing to decide.
 */
export async function chargeIfLow(
  paymentScope: PaymentScope,
  clientId: number,
): Promise<Decision | undefined> {
  const decision = await paymentScope.within(async (tx) => {
    const rule = await lockRule(tx, clientId)
    if (!rule?.enabled || (await isBlocked(tx, clientId))) return undefined
    const now = await standing(tx, rule)
    const reason = objection(rule, now)
    const made: Decision =
      reason === undefined
        ? await intend(tx, rule, now)
        : { outcome: 'not_charged', reason, available: now.available }
    await recordDecision(tx, rule.id, made)
    return made
  })
  if (decision?.paymentId !== undefined) await advancePayment(paymentScope, decision.paymentId)
  return decision
}

// Small enough that queueing a batch takes a moment.
const askBatch = 500

/**
 * Queues all accounts with automatic billing, because time may change the decision: a pause ends, or a month
 * begins.
 */
export async function requestAllAutoBilling({ within }: PaymentScope, many = askBatch): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const last: number = after
    after = await within((tx) => requestAfter(tx, last, many))
  }
}

/** Queues the next batch after an id; returns the last id, undefined when there were none. */
async function requestAfter(tx: Database, after: number, many: number): Promise<number | undefined> {
  const { rows } = await sql<{ client_id: number }>`
    select client_id, (graphile_worker.add_job('billing.auto', payload => json_build_object('clientId', client_id),
      max_attempts => 10, job_key => ${autoKeyOf(sql`client_id`)})).id
    from (select client_id from automated_billing_rules where enabled and status = 'active' and client_id > ${after}
      order by client_id limit ${many}) r order by client_id`.execute(tx)
  return rows.at(-1)?.client_id
}
