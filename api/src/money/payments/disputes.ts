import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { splitGross } from '#money/invoices/vat/vat.ts'
import { disputeLost } from '#money/ledger/deposits.ts'
import { reverse } from '#money/ledger/reverse.ts'
import type { ProviderDispute } from '#money/payments/providers/payment-provider.ts'
import { alertStaff } from '#platform/alerts.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Payment } from './payment-rows.ts'
import { type PaymentScope, providerOf } from './payment-scope.ts'

/** Reads the state of a dispute from the provider and applies it, once. */
export async function readDispute(paymentScope: PaymentScope, provider: string, ref: string): Promise<void> {
  const seen = await providerOf(paymentScope, provider).getDispute(ref)
  await paymentScope.within((tx) => noteDispute(tx, provider, seen))
}

async function noteDispute(tx: Database, provider: string, seen: ProviderDispute): Promise<void> {
  const payment = await tx
    .selectFrom('payments')
    .select(columns.payments)
    .where('provider', '=', provider)
    .where('provider_ref', '=', seen.paymentRef)
    .forUpdate()
    .executeTakeFirst()
  if (!payment) {
    await alertStaff(tx, `${provider} ${seen.ref}`, 'unknown_dispute', { provider, ref: seen.ref })
    return
  }
  const row = await tx
    .insertInto('payment_disputes')
    .values({
      payment_id: payment.id,
      provider,
      provider_ref: seen.ref,
      amount: seen.amount,
      status: 'open',
    })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'provider_ref']).doUpdateSet({ amount: seen.amount }),
    )
    .returning(columns.payment_disputes)
    .executeTakeFirstOrThrow()
  await alertStaff(tx, payment.id, 'disputed', { ref: seen.ref, amount: seen.amount })
  // A bank may return money after an appeal; a won dispute stays so.
  const goesOn = row.status === 'open' || (row.status === 'lost' && seen.status === 'won')
  if (!goesOn) return
  await markPayment(tx, payment, seen.status)
  if (seen.status === 'open') return
  await tx.updateTable('payment_disputes').set({ status: seen.status }).where('id', '=', row.id).execute()
  if (seen.status === 'lost') await lose(tx, payment, row.id, seen)
  else if (row.ledger_transaction_id !== null) {
    await reverse(tx, row.ledger_transaction_id, `dispute:${row.id}:won`)
    await requestEvaluation(tx, payment.client_id)
  }
}

/** Updates the status of a disputed payment; a fully refunded one stays so. */
async function markPayment(tx: Database, payment: Payment, status: ProviderDispute['status']): Promise<void> {
  if (payment.status === 'refunded') return
  const before = payment.refunded === '0.00' ? 'succeeded' : 'partially_refunded'
  await tx
    .updateTable('payments')
    .set({ status: status === 'won' ? before : 'disputed' })
    .where('id', '=', payment.id)
    .execute()
}

/**
 * Posts a lost dispute, in which the bank took the money back: its usage becomes a debt. An amount in another
 * currency, or above the rest of the payment, is not posted but alerted to staff.
 */
async function lose(tx: Database, payment: Payment, disputeId: number, seen: ProviderDispute): Promise<void> {
  const { id, client_id: clientId, currency } = payment
  const { ref, amount } = seen
  if (seen.currency !== currency || new Big(payment.gross).minus(payment.refunded).lt(amount))
    return void (await alertStaff(tx, id, 'dispute_differs', { ref, amount, currency: seen.currency }))
  const whole = new Big(amount).eq(payment.gross)
  const part = splitGross(new Big(amount), payment.vat_rate)
  const posted = await disputeLost(tx, {
    key: `dispute:${disputeId}`,
    clientId,
    currency,
    net: whole ? payment.net : part.net.toFixed(2),
    vat: whole ? payment.vat : part.vat.toFixed(2),
    means: `psp:${payment.provider}`,
    source: { type: 'payment', id },
  })
  await sql`update payment_disputes set ledger_transaction_id = ${posted.id} where id = ${disputeId}`.execute(
    tx,
  )
  await requestEvaluation(tx, clientId)
}
