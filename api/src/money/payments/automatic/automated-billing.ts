import { createHash } from 'node:crypto'
import Big from 'big.js'
import { sql } from 'kysely'
import { amountsOf, assertWithin } from '#money/currency-policies.ts'
import { rounded } from '#money/minor-units.ts'
import { autoKeyOf } from '#money/payments/job-keys.ts'
import { openBills } from '#money/payments/payment-price.ts'
import { billedAccount, type PaymentScope, paymentScopeOf } from '#money/payments/payment-scope.ts'
import { advancePayment, assertNotTryingOut, isTryingOut } from '#money/payments/payments.ts'
import { pricedRow } from '#money/payments/start-payment.ts'
import type { Context, OutsideContext, Related, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { Problem, Problems, refuse } from '#platform/errors/problem.ts'
import { clientStatus } from '#reference/client-status.ts'
import { type Decision, decided, lockRule, requestAutoBilling } from './outcome.ts'
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

async function cardOf(tx: Database, rule: Rule) {
  const wanted = rule.use_fallback
    ? [rule.fallback_card_id, rule.card_id]
    : [rule.card_id, rule.fallback_card_id]
  const cards = await tx
    .selectFrom('cards')
    .select(['id', 'provider'])
    .where('id', 'in', [0, ...wanted.filter((id) => id !== null)])
    .where('status', '=', 'active')
    .execute()
  return wanted.map((id) => cards.find((card) => card.id === id)).find((card) => card !== undefined)
}

/**
 * Whether a card was declined today, by the business clock: it is charged at most once a day, by any trigger.
 */
async function refusedToday(tx: Database, cardId: number): Promise<boolean> {
  const { rows } = await sql`select from payments p
    where card_id = ${cardId} and purpose = 'auto_recharge' and payment_declined(p)
      and created_at >= clock_today()::timestamp at time zone 'utc' limit 1`.execute(tx)
  return rows.length > 0
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
    await decided(tx, rule.id, made)
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

type Amounts = {
  readonly threshold_amount?: string | number
  readonly recharge_amount?: string | number
  readonly monthly_cap?: string | number | null
}

/** Throws `number_least` and `number_most` by the limits of the account's currency. */
async function assertAmounts(tx: Database, clientId: number, sent: Amounts): Promise<void> {
  const { deposit_most, threshold_least, recharge_least, cap_most } = await amountsOf(tx, clientId)
  const bound = (name: keyof Amounts, least: string, most: string) => ({
    pointer: `/data/attributes/${name}`,
    amount: sent[name],
    least,
    most,
  })
  assertWithin([
    bound('threshold_amount', threshold_least, deposit_most),
    bound('recharge_amount', recharge_least, deposit_most),
    bound('monthly_cap', recharge_least, cap_most),
  ])
}

/** Server-set columns of a new rule. */
export async function newRule({
  tx,
  actor,
  sent,
}: Pick<Context, 'tx' | 'actor'> & {
  readonly related: Related
  readonly sent: Amounts & { readonly client_id?: number | undefined }
}) {
  const clientId = billedAccount(actor, sent.client_id)
  await assertAmounts(tx, clientId, sent)
  return { client_id: clientId }
}

/** Resets earlier declines after a change, because the card may be another one. */
export async function ruleUpdated({ tx }: Context, row: Rule, before: Rule): Promise<void> {
  await assertAmounts(tx, row.client_id, row)
  if (row.card_id === before.card_id && row.fallback_card_id === before.fallback_card_id) return
  await sql`update automated_billing_rules set failures = 0, use_fallback = false, next_try_at = null,
      status = case when status = 'paused_declined' then 'active' else status end
    where id = ${row.id}`.execute(tx)
  await requestAutoBilling(tx, row.client_id)
}

const stateOf = ({ id, enabled, status }: Pick<Rule, 'id' | 'enabled' | 'status'>) => ({
  id,
  enabled,
  // The column allows no other values.
  status: status as 'off',
})

/**
 * Enables automatic charges; stores who agreed, to which text, when and from where. Throws
 * `automatic_needs_card`.
 */
export async function enableRule(
  { tx, actor, ip }: Context,
  { row, input }: { readonly row: Rule; readonly input: { readonly consent: string } },
) {
  const card = row.card_id === null ? undefined : await cardOf(tx, { ...row, use_fallback: false })
  if (!card) throw refuse('automatic_needs_card')
  const changed = await tx
    .updateTable('automated_billing_rules')
    .set({
      enabled: true,
      status: 'active',
      failures: 0,
      use_fallback: false,
      next_try_at: null,
      consent_text_hash: createHash('sha256').update(input.consent).digest(),
      consent_at: sql`clock_now()`,
      consent_ip: ip,
      consent_client_id: actor.id,
    })
    .where('id', '=', row.id)
    .returning(columns.automated_billing_rules)
    .executeTakeFirstOrThrow()
  await requestAutoBilling(tx, row.client_id)
  return stateOf(changed)
}

export async function disableRule({ tx }: Context, { row }: { readonly row: Rule }) {
  const changed = await tx
    .updateTable('automated_billing_rules')
    .set({ enabled: false, status: 'off', next_try_at: null, use_fallback: false })
    .where('id', '=', row.id)
    .returning(columns.automated_billing_rules)
    .executeTakeFirstOrThrow()
  return stateOf(changed)
}

/**
 * Retries at once, for a person who has fixed the cause. Throws `automatic_off`, `card_refused_today`, and
 * `payments_refused_often`.
 */
export async function retryNow(outsideContext: OutsideContext, { row }: { readonly row: Rule }) {
  const paymentScope = paymentScopeOf(outsideContext)
  await paymentScope.within(async (tx) => {
    await assertNotTryingOut({ tx }, row.client_id)
    const rule = await tx
      .updateTable('automated_billing_rules')
      .set({ status: 'active', failures: 0, use_fallback: false, next_try_at: null })
      .where('id', '=', row.id)
      .where('enabled', '=', true)
      .returning(columns.automated_billing_rules)
      .executeTakeFirst()
    if (!rule) throw refuse('automatic_off')
    const card = await cardOf(tx, rule)
    if (card && (await refusedToday(tx, card.id)))
      throw refuse(
        'card_refused_today',
        {},
        {
          headers: { 'retry-after': '86400' },
        },
      )
  })
  await chargeIfLow(paymentScope, row.client_id)
  const now = await paymentScope.within((tx) =>
    tx
      .selectFrom('automated_billing_rules')
      .select(columns.automated_billing_rules)
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow(),
  )
  return stateOf(now)
}
