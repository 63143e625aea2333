import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { providerFee } from '#money/ledger/fees.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { reverse } from '#money/ledger/reverse.ts'
import { isEnded, lookAgain } from '#money/payments/late/late-payment.ts'
import type { Dispute, Payment } from '#money/payments/payment-rows.ts'
import { type PaymentScope, providerOf } from '#money/payments/payment-scope.ts'
import type { ProviderDispute } from '#money/payments/providers/payment-provider.ts'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { loseDispute } from './lose-dispute.ts'
import { winDispute } from './win-dispute.ts'

async function turnsOf({ within }: PaymentScope, provider: string, ref: string): Promise<number> {
  const found = await within((tx) =>
    tx
      .selectFrom('payment_disputes')
      .select('turns')
      .where('provider', '=', provider)
      .where('provider_ref', '=', ref)
      .executeTakeFirst(),
  )
  return found?.turns ?? 0
}

/**
 * Reads the state of a dispute from the provider and applies it, once. A state that another reading overtook is read
 * again, so that the last one applied is the newest.
 */
export async function readDispute(paymentScope: PaymentScope, provider: string, ref: string): Promise<void> {
  for (;;) {
    const turns = await turnsOf(paymentScope, provider, ref)
    const seen = await providerOf(paymentScope, provider).getDispute(ref)
    if (await paymentScope.within((tx) => noteDispute(tx, provider, seen, turns))) return
  }
}

/** Stores the dispute as open when it is new, and locks it. */
const kept = (tx: Database, provider: string, payment: Payment, { ref, amount, answerBy }: ProviderDispute) =>
  tx
    .insertInto('payment_disputes')
    .values({
      payment_id: payment.id,
      provider,
      provider_ref: ref,
      amount,
      status: 'open',
      answer_by: answerBy?.toISOString() ?? null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'provider_ref'])
        .doUpdateSet({ amount, answer_by: answerBy?.toISOString() ?? null }),
    )
    .returning(columns.payment_disputes)
    .executeTakeFirstOrThrow()

/**
 * Applies a state; false when the dispute changed since `turns` was read. Throws for a payment that is still open, so that the message
 * is read again once it is settled.
 */
async function noteDispute(
  tx: Database,
  provider: string,
  seen: ProviderDispute,
  turns: number,
): Promise<boolean> {
  const payment = await tx
    .selectFrom('payments')
    .select(columns.payments)
    .where('provider', '=', provider)
    .where('provider_ref', '=', seen.paymentRef)
    .forUpdate()
    .executeTakeFirst()
  if (!payment) {
    await alertStaff(tx, `${provider} ${seen.ref}`, 'unknown_dispute', { provider, ref: seen.ref })
    return true
  }
  if (payment.settled_at === null && !isEnded(payment))
    throw new Error(`Payment ${payment.id} of dispute ${seen.ref} is still open.`)
  const row = await kept(tx, provider, payment, seen)
  if (row.turns !== turns) return false
  await alertStaff(tx, payment.id, 'disputed', { ref: seen.ref, amount: seen.amount })
  await noteFee(tx, row, seen)
  if (seen.status !== 'won') await dropTransfers(tx, payment)
  // While a bank looks at an appeal, its last decision counts.
  if (seen.status === row.status || (seen.status === 'open' && row.status !== 'open')) {
    if (row.status === 'open') await markPayment(tx, payment, row, 'open')
    return true
  }
  await turn(tx, payment, row, seen)
  return true
}

/** Ends the transfers that staff should send for a disputed payment: the client would get the money twice. */
async function dropTransfers(tx: Database, { id }: Payment): Promise<void> {
  const dropped = await tx
    .updateTable('payment_refunds')
    .set({ status: 'failed', failure_code: 'payment_disputed' })
    .where('payment_id', '=', id)
    .where('status', '=', 'pending')
    .where('iban', 'is not', null)
    .returning('id')
    .execute()
  for (const refund of dropped) await resolveAlert(tx, `payment ${id}`, `transfer_due_${refund.id}`)
}

/** Moves what a changed decision of the bank moves. */
async function turn(tx: Database, payment: Payment, row: Dispute, seen: ProviderDispute): Promise<void> {
  await holdAccounts(tx, payment.client_id)
  await markPayment(tx, payment, row, seen.status)
  await tx
    .updateTable('payment_disputes')
    .set((eb) => ({ status: seen.status, turns: eb('turns', '+', 1) }))
    .where('id', '=', row.id)
    .execute()
  // The books have nothing of it yet.
  if (payment.settled_at === null) return lookAgain(tx, payment)
  if (seen.status === 'lost') await loseDispute(tx, payment, row, seen)
  else if (row.status === 'lost') await won(tx, payment, row)
  await requestEvaluation(tx, payment.client_id)
}

/** Gives back what was lost; of older disputes, which have no parts, the whole posting. */
async function won(tx: Database, payment: Payment, row: Dispute): Promise<void> {
  if (row.ledger_transaction_id === null) return winDispute(tx, payment, row)
  await reverse(tx, row.ledger_transaction_id, `dispute:${row.id}:won`)
  await sql`update payment_disputes set ledger_transaction_id = null where id = ${row.id}`.execute(tx)
}

/** Posts the provider's fee, or what it gave back of it. */
async function noteFee(tx: Database, row: Dispute, { fee }: ProviderDispute): Promise<void> {
  if (fee === null) return
  const more = new Big(fee.amount).minus(row.fee)
  if (more.eq(0)) return
  await tx.updateTable('payment_disputes').set({ fee: fee.amount }).where('id', '=', row.id).execute()
  await providerFee(tx, {
    key: `dispute:${row.id}:fee:${row.turns}:${fee.amount}`,
    provider: row.provider,
    currency: fee.currency,
    amount: more.toFixed(2),
    source: { type: 'dispute', id: row.id },
  })
}

/** Updates the status of a disputed payment that is settled, which other disputes may keep so; a fully refunded one stays refunded. */
async function markPayment(
  tx: Database,
  payment: Payment,
  { id }: Dispute,
  status: ProviderDispute['status'],
): Promise<void> {
  if (payment.status === 'refunded' || payment.settled_at === null) return
  const before = payment.refunded === '0.00' ? 'succeeded' : 'partially_refunded'
  await sql`update payments p set status = case when ${status === 'won'} and not exists (select from payment_disputes d
      where d.payment_id = p.id and d.id <> ${id} and d.status in ('open', 'lost')) then ${before} else 'disputed' end
    where p.id = ${payment.id}`.execute(tx)
}
