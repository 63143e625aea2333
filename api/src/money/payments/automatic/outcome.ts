import { sql } from 'kysely'
import { autoKey } from '#money/payments/job-keys.ts'
import type { Payment } from '#money/payments/payment-rows.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import type { Letter } from '#notifications/letters/letters.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'

type Rule = RowOf<'automated_billing_rules'>

export type Decision = {
  readonly outcome: 'charged' | 'not_charged' | 'declined' | 'needs_action' | 'succeeded' | 'paused'
  /** A code that the browser translates. */
  readonly reason: string
  readonly available?: string | undefined
  readonly amount?: string | undefined
  readonly paymentId?: number | undefined
}

/** The days after a decline on which the charge is retried; after the last it pauses. */
const retryDays = [1, 3, 5]

/** SQL: the columns of a rule that have no declines to remember. */
export const withoutDeclines = sql`failures = 0, use_fallback = false, next_try_at = null`

/** Stores a decision for the client; a repeated one increments its count. */
export async function recordDecision(tx: Database, ruleId: number, decision: Decision): Promise<void> {
  const { outcome, reason, available = null, amount = null, paymentId = null } = decision
  const again = await sql`
    update automated_billing_decisions d set times = times + 1, last_at = clock_now(), available = ${available}
    where d.id = (select max(id) from automated_billing_decisions where rule_id = ${ruleId})
      and d.outcome = ${outcome} and d.reason = ${reason} and d.payment_id is not distinct from ${paymentId}::int8`.execute(
    tx,
  )
  if ((again.numAffectedRows ?? 0n) > 0n) return
  await tx
    .insertInto('automated_billing_decisions')
    .values({ rule_id: ruleId, outcome, reason, available, amount, payment_id: paymentId })
    .execute()
}

export async function lockRule(tx: Database, clientId: number): Promise<Rule | undefined> {
  return tx
    .selectFrom('automated_billing_rules')
    .select(columns.automated_billing_rules)
    .where('client_id', '=', clientId)
    .forUpdate()
    .executeTakeFirst()
}

type Words = (about: { name: string; amount: { amount: string; currency: string } }) => Letter

async function queueLetter({ tx, vault }: { tx: Database; vault: Vault }, payment: Payment, words: Words) {
  const client = await clientsWithLanguage(tx)
    .select(['c.email', 'c.first_name', 'l.code as language'])
    .where('c.id', '=', payment.client_id)
    .executeTakeFirstOrThrow()
  const amount = { amount: payment.gross, currency: payment.currency }
  const letter = words({ name: client.first_name, amount })
  await queueMail({ tx, vault }, { to: client.email, language: client.language, letter })
}

/** Resets earlier declines after a successful charge. */
export async function recordSettled(tx: Database, payment: Payment): Promise<void> {
  const rule = await lockRule(tx, payment.client_id)
  if (!rule) return
  await sql`update automated_billing_rules set ${withoutDeclines},
      last_charge_at = clock_now(), status = case when enabled then 'active' else 'off' end
    where id = ${rule.id}`.execute(tx)
  await recordDecision(tx, rule.id, {
    outcome: 'succeeded',
    reason: 'paid',
    amount: payment.gross,
    paymentId: payment.id,
  })
}

/** Pauses automatic billing until the person answers the bank's challenge. */
export async function recordChallenge(
  parts: { tx: Database; vault: Vault },
  payment: Payment,
): Promise<void> {
  const { tx } = parts
  const rule = await lockRule(tx, payment.client_id)
  if (!rule?.enabled) return
  await sql`update automated_billing_rules set status = 'needs_action' where id = ${rule.id}`.execute(tx)
  await recordDecision(tx, rule.id, {
    outcome: 'needs_action',
    reason: 'authentication_required',
    amount: payment.gross,
    paymentId: payment.id,
  })
  await queueLetter(parts, payment, (about) => ({
    kind: 'payment-action',
    ...about,
    transaction: payment.id,
  }))
}

async function isActive(tx: Database, cardId: number | null): Promise<boolean> {
  const cards = tx.selectFrom('cards').select('id').where('status', '=', 'active')
  return (await cards.where('id', '=', cardId ?? 0).executeTakeFirst()) !== undefined
}

/**
 * Handles a declined charge: the other card is tried at once, then retries follow after
 * `retryDays`, then it pauses.
 */
export async function recordDeclined(
  parts: { tx: Database; vault: Vault },
  payment: Payment,
  reason: string,
): Promise<void> {
  const { tx } = parts
  const rule = await lockRule(tx, payment.client_id)
  if (!rule) return
  await recordDecision(tx, rule.id, {
    outcome: 'declined',
    reason,
    amount: payment.gross,
    paymentId: payment.id,
  })
  const other =
    payment.card_id === rule.card_id && !rule.use_fallback && (await isActive(tx, rule.fallback_card_id))
  const failures = other ? rule.failures : rule.failures + 1
  const days = retryDays[failures - 1]
  const paused = !other && days === undefined
  await sql`update automated_billing_rules set failures = ${failures}, use_fallback = ${other},
      next_try_at = ${other || paused ? null : sql`clock_now() + make_interval(days => ${days ?? 0})`},
      status = case when not enabled then 'off' when ${paused} then 'paused_declined' else 'active' end
    where id = ${rule.id}`.execute(tx)
  if (other) await enqueue(tx, 'billing.auto', { clientId: rule.client_id }, { key: autoKey(rule.client_id) })
  if (!paused || !rule.enabled) return
  await recordDecision(tx, rule.id, { outcome: 'paused', reason: 'declined' })
  await queueLetter(parts, payment, (about) => ({ kind: 'payment-declined', ...about }))
}

/** Queues an evaluation of an account after the caller's commit, if automatic billing is enabled. */
export async function requestAutoBilling(tx: Database, clientId: number): Promise<void> {
  const rule = await tx
    .selectFrom('automated_billing_rules')
    .select('id')
    .where('client_id', '=', clientId)
    .where('enabled', '=', true)
    .executeTakeFirst()
  if (rule) await enqueue(tx, 'billing.auto', { clientId }, { key: autoKey(clientId) })
}
