import Big from 'big.js'
import { sql } from 'kysely'
import { currencyOf } from '#money/ledger/entries.ts'
import { type Allocation, sumOf } from '#money/payments/payment-price.ts'
import { laterLook, type Payment } from '#money/payments/payment-rows.ts'
import type { ProviderPayment } from '#money/payments/providers/payment-provider.ts'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'

/** Why the books have nothing of money that arrived after its payment had ended. */
export const lateReasons = {
  currency: 'currency_changed',
  disputed: 'payment_disputed',
  returned: 'payment_returned',
} as const

type LateReason = keyof typeof lateReasons

/** The alert about money in a currency that the account has left. */
const currencyAlert = 'payment_currency'

// A refund can fail and a dispute can be decided otherwise for some weeks: this many looks take seven of them.
const mostLooks = 200

/** SQL: the time of the next look at a payment that came late; null after the last one. */
export const nextLateLook = sql<string>`case when looks < ${sql.lit(mostLooks)} then ${laterLook} end`

type Seen = Pick<ProviderPayment, 'ref' | 'holding'>

/** Whether a payment had ended without money. */
export const isEnded = ({ status }: Pick<Payment, 'status'>): boolean =>
  status === 'failed' || status === 'canceled'

/** Reads the currency of an account, which stays until the transaction ends. */
async function heldCurrency(tx: Database, clientId: number): Promise<string> {
  await sql`select from clients where id = ${clientId} for key share`.execute(tx)
  return currencyOf(tx, clientId)
}

/** Stores why nothing is booked, and when the provider is asked again: at once when the account is back in the currency. */
async function leave(tx: Database, { id }: Payment, { ref }: Seen, why: LateReason): Promise<void> {
  const next = why === 'currency' ? sql`now()` : nextLateLook
  await sql`update payments set provider_ref = ${ref}, failure_code = ${lateReasons[why]}, failure_message = null,
      next_look_at = ${next} where id = ${id}`.execute(tx)
}

/**
 * The part of a payment that its provider still has, received on the day of the charge, which is its tax point. What was given back or
 * lost before is in no document.
 */
async function reduced(tx: Database, payment: Payment, { holding }: Seen): Promise<Payment> {
  const { rows } = await sql<{ day: string | null }>`select least(operator_today(),
      (${holding.receivedAt?.toISOString() ?? null}::timestamptz at time zone time_zone)::date) as day
    from operator_profile`.execute(tx)
  return { ...payment, gross: holding.left, received_on: rows[0]?.day ?? null }
}

/** Whether the account has left the currency of a payment, of which staff are alerted. */
async function hasLeftCurrency(tx: Database, payment: Payment, { holding }: Seen): Promise<boolean> {
  const { id, client_id, currency } = payment
  const account = await heldCurrency(tx, client_id)
  if (account === currency) return false
  await alertStaff(tx, id, currencyAlert, { client_id, received: `${holding.left} ${currency}`, account })
  return true
}

/** Whether the disputes that an answer subtracts are those that the portal has: else a message would take or give them again. */
async function knowsDisputes(tx: Database, { id }: Payment, { holding }: Seen): Promise<boolean> {
  const stored = await tx
    .selectFrom('payment_disputes')
    .select(['provider_ref', 'status', 'amount'])
    .where('payment_id', '=', id)
    .where('status', '<>', 'won')
    .execute()
  const against = holding.disputes.filter(({ status }) => status !== 'won')
  return (
    stored.length === against.length &&
    against.every(({ ref, status, amount }) =>
      stored.some((row) => row.provider_ref === ref && row.status === status && row.amount === amount),
    )
  )
}

async function whyNot(tx: Database, payment: Payment, seen: Seen): Promise<LateReason | undefined> {
  if (seen.holding.isDisputed || !(await knowsDisputes(tx, payment, seen))) return 'disputed'
  if (new Big(seen.holding.left).lte(0)) return 'returned'
  return (await hasLeftCurrency(tx, payment, seen)) ? 'currency' : undefined
}

/**
 * The part that is booked of a payment that had ended before its money arrived: its provider has it at this moment. It is not what staff
 * gave back there, nor what a bank took back. Undefined while a dispute is open or is not stored as the provider has it, when nothing
 * is left, and while the account is in another currency. The payment and the client's accounts are locked.
 */
export async function lateMoney(tx: Database, payment: Payment, seen: Seen): Promise<Payment | undefined> {
  const why = await whyNot(tx, payment, seen)
  if (why !== 'currency') await resolveAlert(tx, `payment ${payment.id}`, currencyAlert)
  if (why === undefined) return reduced(tx, payment, seen)
  await leave(tx, payment, seen, why)
  return undefined
}

/** Stores what was booked of a payment late, as its documents have it. */
export async function noteBooked(tx: Database, { id }: Payment, parts: readonly Allocation[]): Promise<void> {
  await tx.updateTable('payments').set(sumOf(parts)).where('id', '=', id).execute()
}

/** Has the provider asked again what it has of a payment that is not settled, as the decision of a dispute changes that. */
export async function lookAgain(tx: Database, { id }: Payment): Promise<void> {
  await sql`update payments set next_look_at = now()
    where id = ${id} and settled_at is null and failure_code in ('payment_disputed', 'payment_returned')`.execute(
    tx,
  )
}
