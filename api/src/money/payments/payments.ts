import { hourMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { autoFailed, autoWaits } from '#money/payments/automatic/outcome.ts'
import type { PaymentProvider, ProviderPayment } from '#money/payments/providers/payment-provider.ts'
import { moneyIn } from '#notifications/letters/words.ts'
import { notify } from '#notifications/notifications.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { lockPayment, type Payment, paymentRow } from './payment-rows.ts'
import { answered, inTime, type PaymentScope, providerOf, realNow } from './payment-scope.ts'
import { settlePayment } from './settle-payment.ts'

const open = ['created', 'processing', 'requires_action']

/** Whether a payment may still become anything. */
export const isOpen = ({ status }: Pick<Payment, 'status'>): boolean => open.includes(status)

/** When it is asked about again: after a minute, and then ever more seldom, up to six hours. */
const laterLook = sql<string>`now() + least(interval '6 hours', interval '1 minute' * power(2, least(looks, 10)))`

/** Nobody knows what became of a call: that is what is shown, until it is known. */
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

/** The proforma of a payment that came to nothing asks for nothing any more. */
async function dropProforma(tx: Database, { proforma_id }: Payment): Promise<void> {
  if (proforma_id === null) return
  await sql`update invoices set invoice_status_id = invoice_status('cancelled')
    where id = ${proforma_id} and invoice_status_id = invoice_status('unpaid')`.execute(tx)
}

/** What follows when a payment was refused, given up, or waits for the person. */
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
    if (isAuto) await autoFailed({ tx, vault: paymentScope.vault }, before, seen.failureCode ?? seen.status)
  }
  if (seen.status === 'requires_action' && isNew && isAuto)
    await autoWaits({ tx, vault: paymentScope.vault }, before)
}

/** Writes down what a provider says of a payment that did not succeed. What has ended stays as it is. */
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

/** Takes over what a provider says of a payment, whoever heard it and however often. */
export async function applySeen(
  paymentScope: PaymentScope,
  id: number,
  seen: ProviderPayment,
): Promise<void> {
  if (seen.status === 'succeeded') await settlePayment(paymentScope, id, seen)
  else await note(paymentScope, id, seen)
}

/** Asks the provider for the charge, or for the one that it made by the same key before. */
async function charge(
  paymentScope: PaymentScope,
  payment: Payment,
  provider: PaymentProvider,
): Promise<ProviderPayment> {
  const card = await paymentScope.within((tx) =>
    tx
      .selectFrom('cards')
      .select(['provider_ref', 'customer_ref'])
      .where('id', '=', payment.card_id ?? 0)
      .executeTakeFirstOrThrow(),
  )
  return provider.createPayment({
    paymentId: payment.id,
    customerRef: card.customer_ref,
    methodRef: card.provider_ref,
    amount: payment.gross,
    currency: payment.currency,
    offSession: payment.off_session,
    idempotencyKey: `pay:${payment.id}`,
  })
}

/** For so long a provider remembers a key and answers it as before; then only looking is safe. */
export const keyLivesMs = 23 * hourMs

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
}

async function askProvider(paymentScope: PaymentScope, payment: Payment): Promise<ProviderPayment> {
  const provider = providerOf(paymentScope, payment.provider)
  if (payment.provider_ref !== null) return provider.getPayment(payment.provider_ref)
  if (Date.parse(payment.begun_at) + keyLivesMs > (await realNow(paymentScope)))
    return charge(paymentScope, payment, provider)
  return (await provider.findPayment(payment.id)) ?? neverCharged
}

/**
 * Charges, or finds out what became of it, and writes that down: of a payment that is committed, outside any transaction.
 * Whatever fails leaves the outcome unknown, and it is asked about again. Undefined then, and when there is nothing to ask.
 */
export async function pursue(paymentScope: PaymentScope, id: number): Promise<ProviderPayment | undefined> {
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
 * Pursues a payment while its person waits. When that takes too long its outcome is unknown, and is shown as such: it is
 * written down once it is known, here or by whoever looks later.
 */
export function pursueFor(paymentScope: PaymentScope, id: number): Promise<ProviderPayment | undefined> {
  return inTime(paymentScope, pursue(paymentScope, id), () =>
    noteUnknown(paymentScope, id).then(() => undefined),
  )
}

/** What the browser goes on with. */
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

/** The state of a payment as its actions answer it. */
export async function stateOf(paymentScope: PaymentScope, id: number, seen: ProviderPayment | undefined) {
  const now = await paymentScope.within((tx) => paymentRow(tx, id))
  return {
    id,
    // The column allows no other.
    status: now.status as 'created',
    failure_code: now.failure_code,
    ...goingOn(paymentScope, now, seen),
  }
}

/** Gives up a payment that waits for the person. `payment_ended`, or `payment_outcome_unknown` while nobody knows. */
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

/** How many payments of an account were refused within the last hour before it has to wait: cards are not to be tried out here. */
const mostRefusals = 10

/**
 * Whether an account seems to try cards out: too many were refused within the hour. A payment that is not answered yet, waits
 * for the bank's question, or was given up there counts too, unless its card was charged before: that a bank asks tells that a
 * card is good.
 */
export async function isTryingOut(tx: Database, clientId: number): Promise<boolean> {
  const { rows } = await sql<{ many: boolean }>`select count(*) >= ${mostRefusals} as many from payments p
    where client_id = ${clientId} and begun_at > now() - interval '1 hour' and (status = 'failed'
      or (status in ('created', 'processing', 'requires_action', 'canceled') and not exists (
        select from payments o where o.card_id = p.card_id and o.settled_at is not null)))`.execute(tx)
  return rows[0]?.many ?? false
}

/** Throws `payments_refused_often` for an account that tries cards out. Others who ask for it wait until the caller has committed. */
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
