import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { creditNote, leftOf } from '#money/invoices/credit-notes.ts'
import { refund } from '#money/ledger/deposits.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { addDebt } from '#money/payments/disputes/debts.ts'
import { refundKey } from '#money/payments/job-keys.ts'
import { lockPayment, type Payment, paymentRow } from '#money/payments/payment-rows.ts'
import { type PaymentScope, providerOf, realNow } from '#money/payments/payment-scope.ts'
import { keyLivesMs } from '#money/payments/payments.ts'
import type { ProviderRefund } from '#money/payments/providers/payment-provider.ts'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { takeReturned } from './returned-refunds.ts'

type Refund = RowOf<'payment_refunds'>

/**
 * The amount that pending refunds claim of the balance of a payment's client, and whether one of them is of the payment itself. Call it while
 * the client's accounts are held, in a separate statement, because the locking one does not see rows written while it waited.
 */
export async function claimedOf(tx: Database, { id, client_id }: Pick<Payment, 'id' | 'client_id'>) {
  const { rows } = await sql<{ claimed: string; own: boolean }>`
    select coalesce(sum(net), 0) as claimed, coalesce(bool_or(payment_id = ${id}), false) as own
    from payment_refunds where client_id = ${client_id} and status = 'pending'`.execute(tx)
  return rows[0] ?? { claimed: '0', own: false }
}

/** The part of a balance that no pending refund claims. Called like `claimedOf`. Throws `refund_pending` when one is of the payment. */
export async function unclaimed(
  tx: Database,
  payment: Pick<Payment, 'id' | 'client_id'>,
  balance: Big,
): Promise<Big> {
  const { claimed, own } = await claimedOf(tx, payment)
  if (own) throw refuse('refund_pending')
  return balance.minus(claimed)
}

/** The provider's refund: the existing one, or a new one. */
async function refundAt(
  paymentScope: PaymentScope,
  row: Refund,
  { provider: id, currency }: Payment,
  paymentRef: string,
): Promise<ProviderRefund> {
  const provider = providerOf(paymentScope, id)
  if (row.provider_ref !== null) return provider.getRefund(row.provider_ref)
  // Once the key has expired, repeating the request would refund twice.
  const isLate = Date.parse(row.begun_at) + keyLivesMs < (await realNow(paymentScope))
  const known = isLate ? await provider.findRefund(paymentRef, row.id) : undefined
  return (
    known ??
    provider.refund({
      refundId: row.id,
      paymentRef,
      amount: row.gross,
      currency,
      idempotencyKey: refundKey(row.id),
    })
  )
}

const disputedMeanwhile = { ref: null, status: 'failed', failureCode: 'payment_disputed' } as const

/**
 * The outcome of a refund of a payment that the client's bank takes back, or may: what was not sent before is not sent, because
 * the client would get the money twice.
 */
async function refundOfDisputed(
  paymentScope: PaymentScope,
  { id, provider_ref: ref }: Refund,
  { provider: name }: Payment,
  paymentRef: string,
): Promise<ProviderRefund> {
  const provider = providerOf(paymentScope, name)
  if (ref !== null) return provider.getRefund(ref)
  return (await provider.findRefund(paymentRef, id)) ?? disputedMeanwhile
}

/** Sends a refund at the provider, once. Idempotent. */
export async function sendRefund(paymentScope: PaymentScope, refundId: number): Promise<void> {
  const { row, payment } = await paymentScope.within(async (tx) => {
    const found = await tx
      .selectFrom('payment_refunds')
      .select(columns.payment_refunds)
      .where('id', '=', refundId)
      .executeTakeFirstOrThrow()
    return { row: found, payment: await paymentRow(tx, found.payment_id) }
  })
  if (row.status !== 'pending' || payment.provider_ref === null) return
  const outcome = payment.status === 'disputed' ? refundOfDisputed : refundAt
  await noteRefund(paymentScope, refundId, await outcome(paymentScope, row, payment, payment.provider_ref))
}

/** Reads the state of a refund; refunds that were not made here are ignored. */
export async function readRefund(paymentScope: PaymentScope, provider: string, ref: string): Promise<void> {
  const row = await paymentScope.within((tx) =>
    tx.selectFrom('payment_refunds').select('id').where('provider_ref', '=', ref).executeTakeFirst(),
  )
  if (row) await noteRefund(paymentScope, row.id, await providerOf(paymentScope, provider).getRefund(ref))
}

async function noteRefund(paymentScope: PaymentScope, id: number, seen: ProviderRefund): Promise<void> {
  await paymentScope.within(async (tx) => {
    // The payment is locked first, in the order of a dispute, which avoids deadlocks.
    await sql`select from payments p where id = (select payment_id from payment_refunds where id = ${id}) for update`.execute(
      tx,
    )
    const row = await tx
      .selectFrom('payment_refunds')
      .select(columns.payment_refunds)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    // A refund with a failure code returned earlier, before this handling existed, and staff were alerted.
    if (row.status === 'succeeded' && seen.status === 'failed' && row.failure_code === null)
      await takeReturned({ tx, vault: paymentScope.vault }, row, seen.failureCode)
    if (row.status !== 'pending') return
    await tx
      .updateTable('payment_refunds')
      .set({ provider_ref: seen.ref, status: seen.status, failure_code: seen.failureCode })
      .where('id', '=', id)
      .execute()
    if (seen.status === 'succeeded') await completeRefund(tx, row)
  })
}

/** The net part of a refund that its deposit still has: a lost dispute may have taken the rest meanwhile. */
async function coveredNet(tx: Database, row: Refund, invoiceId: number): Promise<Big> {
  await holdAccounts(tx, row.client_id)
  const left = await leftOf(tx, invoiceId)
  const free = new Big(left.net).minus(left.used)
  if (free.lt(0)) return new Big(0)
  return free.lt(row.net) ? free : new Big(row.net)
}

/** Credits what the deposit still has. */
async function creditSent(tx: Database, row: Refund, invoiceId: number) {
  const net = await coveredNet(tx, row, invoiceId)
  const reason = { en: 'deposit given back', ro: 'avans restituit' }
  return net.eq(0) ? null : creditNote(tx, { invoiceId, net: net.toFixed(2), reason })
}

/**
 * Completes a refund: the credit note, the ledger, and the payment's status. What the deposit does not have any more, but was
 * sent all the same, is a debt.
 */
export async function completeRefund(tx: Database, row: Refund): Promise<void> {
  const payment = await lockPayment(tx, row.payment_id)
  const { client_id: clientId, currency } = payment
  const invoiceId = row.advance_invoice_id ?? payment.advance_invoice_id
  if (invoiceId === null) throw new Error(`Payment ${payment.id} has no invoice to credit.`)
  const note = await creditSent(tx, row, invoiceId)
  const [group] = note?.groups ?? []
  const vat = new Big(note?.vat ?? 0).abs()
  const posted = await refund(
    tx,
    {
      key: `refund:${row.id}`,
      clientId,
      currency,
      net: new Big(row.gross).minus(vat).toFixed(2),
      ...(group &&
        vat.gt(0) && { vat: { amount: vat.toFixed(2), country: group.country, rate: group.rate } }),
      means: row.iban === null ? `psp:${payment.provider}` : 'bank',
      source: { type: 'refund', id: row.id },
    },
    { left: true },
  )
  await sql`update payment_refunds set credit_note_id = ${note?.id ?? null}, ledger_transaction_id = ${posted.id} where id = ${row.id}`.execute(
    tx,
  )
  await sql`update payments set refunded = refunded + ${row.gross}::numeric,
      status = case when refunded + ${row.gross}::numeric >= gross then 'refunded'
        when status = 'disputed' then status else 'partially_refunded' end
    where id = ${payment.id}`.execute(tx)
  // A lost part may have left a cent less of net and more of VAT, so that the sum is what counts.
  const uncovered = new Big(row.gross).plus(note?.total ?? 0)
  if (uncovered.gt(0)) await addDebt(tx, payment, { refund_id: row.id }, uncovered.toFixed(2))
  await requestEvaluation(tx, clientId)
}
