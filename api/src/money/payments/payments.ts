import { hourMs, minuteMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { markCancelled } from '#money/invoices/proforma/cancel-proforma.ts'
import { recordChallenge, recordDeclined } from '#money/payments/automatic/outcome.ts'
import {
  nothingHeld,
  type PaymentAsk,
  type ProviderPayment,
} from '#money/payments/providers/payment-provider.ts'
import { moneyIn } from '#notifications/letters/words.ts'
import { notify } from '#notifications/notifications.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { isOpen, isOpenPayment, laterLook, lockPayment, type Payment, paymentRow } from './payment-rows.ts'
import { answered, inTime, type PaymentScope, providerOf, realNow } from './payment-scope.ts'
import { settlePayment } from './settle-payment.ts'

/** Marks the outcome of a call as unknown until it is found out. */
async function noteUnknown({ within }: PaymentScope, id: number): Promise<void> {
  await within((tx) =>
    tx
      .updateTable('payments')
      .set((eb) => ({
        status: 'processing',
        failure_code: 'outcome_unknown',
        next_look_at: laterLook,
        looks: eb('looks', '+', 1),
      }))
      .where('id', '=', id)
      .where('status', 'in', ['created', 'processing'])
      .execute(),
  )
}

/** Cancels the proforma of a failed payment, unless it was requested by itself. */
async function dropProforma(tx: Database, { proforma_id, keeps_proforma }: Payment): Promise<void> {
  if (proforma_id !== null && !keeps_proforma) await markCancelled(tx, proforma_id)
}

/** Applies the consequences of a declined, canceled or waiting payment. */
async function follow(
  paymentScope: PaymentScope,
  tx: Database,
  before: Payment,
  seen: ProviderPayment,
): Promise<void> {
  const isNew = before.status !== seen.status
  const isAuto = before.purpose === 'auto_recharge'
  const { id: about, client_id: clientId, gross: amount, currency } = before
  if (seen.status === 'failed')
    await notify(tx, clientId, {
      kind: 'payment_failed',
      about,
      params: { amount: moneyIn({ amount, currency }) },
    })
  if (seen.status === 'failed' || seen.status === 'canceled') {
    await dropProforma(tx, before)
    if (isAuto)
      await recordDeclined({ tx, vault: paymentScope.vault }, before, seen.failureCode ?? seen.status)
  }
  if (seen.status === 'requires_action' && isNew && isAuto)
    await recordChallenge({ tx, vault: paymentScope.vault }, before)
}

/** Stores the provider's state of an unsuccessful payment. A final state stays. */
async function note(paymentScope: PaymentScope, id: number, seen: ProviderPayment): Promise<void> {
  await paymentScope.within(async (tx) => {
    const before = await lockPayment(tx, id)
    if (!isOpen(before)) return
    const waits = seen.status === 'processing' || seen.status === 'requires_action'
    await tx
      .updateTable('payments')
      .set((eb) => ({
        status: seen.status,
        provider_ref: seen.ref,
        failure_code: seen.failureCode,
        failure_message: seen.failureMessage,
        next_look_at: waits ? laterLook : null,
        looks: eb('looks', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    await follow(paymentScope, tx, before, seen)
  })
}

/** Applies the provider's state of a payment. Idempotent, for every source. */
export async function applySeen(
  paymentScope: PaymentScope,
  id: number,
  seen: ProviderPayment,
): Promise<void> {
  if (seen.status === 'succeeded') await settlePayment(paymentScope, id, seen)
  else await note(paymentScope, id, seen)
}

/** The request to the provider, with the same key each time. */
async function askOf(paymentScope: PaymentScope, payment: Payment): Promise<PaymentAsk> {
  const card = await paymentScope.within((tx) =>
    tx
      .selectFrom('cards')
      .select(['provider_ref', 'customer_ref'])
      .where('id', '=', payment.card_id ?? 0)
      .executeTakeFirstOrThrow(),
  )
  return {
    paymentId: payment.id,
    customerRef: card.customer_ref,
    methodRef: card.provider_ref,
    amount: payment.gross,
    currency: payment.currency,
    offSession: payment.off_session,
    idempotencyKey: `pay:${payment.id}`,
  }
}

/** The time for which a provider remembers an idempotency key; later only reading is safe. */
export const keyLivesMs = 23 * hourMs

/** A provider's search has a new payment after a minute, and later when it is busy. */
const searchLagMs = 10 * minuteMs

const neverCharged: ProviderPayment = {
  ref: null,
  status: 'failed',
  amount: '0.00',
  amountReceived: '0.00',
  currency: '',
  failureCode: 'never_charged',
  failureMessage: null,
  clientSecret: null,
  challengeUrl: null,
  holding: nothingHeld,
}

async function askProvider(paymentScope: PaymentScope, payment: Payment): Promise<ProviderPayment> {
  const provider = providerOf(paymentScope, payment.provider)
  if (payment.provider_ref !== null) return provider.getPayment(payment.provider_ref)
  const ask = await askOf(paymentScope, payment)
  const age = (await realNow(paymentScope)) - Date.parse(payment.begun_at)
  const made = age < keyLivesMs ? await provider.createPayment(ask) : undefined
  const found = made ?? (await provider.findPayment(ask))
  if (!found && age < searchLagMs)
    throw new Error(`The key of payment ${payment.id} was used before for another request.`)
  return found ?? neverCharged
}

/**
 * Charges a committed payment or finds out its outcome, outside any transaction, and stores the result. A
 * failure leaves the outcome unknown, and it is checked again later. Undefined then, and when there is
 * nothing to do.
 */
export async function advancePayment(
  paymentScope: PaymentScope,
  id: number,
): Promise<ProviderPayment | undefined> {
  const payment = await paymentScope.within((tx) => paymentRow(tx, id))
  if (!isOpen(payment)) return undefined
  return askProvider(paymentScope, payment)
    .then(async (seen) => {
      await applySeen(paymentScope, id, seen)
      return seen
    })
    .catch(async (error: unknown) => {
      paymentScope.report?.(error)
      await noteUnknown(paymentScope, id)
      return undefined
    })
}

/**
 * Advances a payment while its person waits. After the time limit the outcome is shown as unknown: it is
 * stored once it is known, here or by a later check.
 */
export function advancePaymentInTime(
  paymentScope: PaymentScope,
  id: number,
): Promise<ProviderPayment | undefined> {
  return inTime(paymentScope, advancePayment(paymentScope, id), () =>
    noteUnknown(paymentScope, id).then(() => undefined),
  )
}

/** The data with which the browser continues. */
export function goingOn(
  paymentScope: PaymentScope,
  { provider }: Payment,
  seen: ProviderPayment | undefined,
) {
  const waits = seen?.status === 'requires_action'
  return {
    client_secret: waits ? seen.clientSecret : null,
    publishable_key: waits ? (paymentScope.payments.of(provider)?.publishableKey ?? null) : null,
    challenge_url: waits ? seen.challengeUrl : null,
  }
}

/** The state of a payment in the answer of its actions. */
export async function stateOf(paymentScope: PaymentScope, id: number, seen: ProviderPayment | undefined) {
  const now = await paymentScope.within((tx) => paymentRow(tx, id))
  return {
    id,
    // The column allows no other values.
    status: now.status as 'created',
    failure_code: now.failure_code,
    ...goingOn(paymentScope, now, seen),
  }
}

/** Cancels a payment that waits for the person. Throws `payment_ended`, or `payment_outcome_unknown`. */
export async function cancelPayment(paymentScope: PaymentScope, id: number): Promise<ProviderPayment> {
  const payment = await paymentScope.within((tx) => paymentRow(tx, id))
  if (!isOpen(payment)) throw refuse('payment_ended')
  if (payment.provider_ref === null || payment.status !== 'requires_action')
    throw refuse('payment_outcome_unknown')
  const provider = providerOf(paymentScope, payment.provider)
  const seen = await answered(paymentScope, provider.cancelPayment(payment.provider_ref, `cancel:${id}`))
  await applySeen(paymentScope, id, seen)
  return seen
}

/** The maximum of declined payments per account and hour, against testing of stolen cards. */
const mostRefusals = 10

/**
 * Whether an account appears to test cards: too many declines within the hour. An unanswered payment, or one
 * that waited for a challenge or was canceled there, counts too, unless its card was charged before: a
 * challenge shows that a card is valid.
 */
export async function isTryingOut(tx: Database, clientId: number): Promise<boolean> {
  const { rows } = await sql<{ many: boolean }>`select count(*) >= ${mostRefusals} as many from payments p
    where client_id = ${clientId} and begun_at > now() - interval '1 hour' and (status = 'failed'
      or ((${isOpenPayment('p')} or status = 'canceled') and not exists (
        select from payments o where o.card_id = p.card_id and o.settled_at is not null)))`.execute(tx)
  return rows[0]?.many ?? false
}

/**
 * Throws `payments_refused_often` for an account that appears to test cards. Concurrent callers wait until
 * this one has committed.
 */
export async function assertNotTryingOut({ tx }: Pick<Context, 'tx'>, clientId: number): Promise<void> {
  await tx.selectFrom('clients').select('id').where('id', '=', clientId).forNoKeyUpdate().execute()
  if (await isTryingOut(tx, clientId))
    throw refuse(
      'payments_refused_often',
      {},
      {
        headers: { 'retry-after': '3600' },
      },
    )
}
