import { sql } from 'kysely'
import { assertArrived } from '#money/payments/bank-transfers.ts'
import { lockPayment } from '#money/payments/payment-rows.ts'
import { completeRefund } from '#money/payments/refunds/refunds.ts'
import { resolveAlert } from '#platform/alerts.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type On<I> = { readonly row: RowOf<'payments'>; readonly input: I }
type Sent = { readonly refund_id: number; readonly sent_on: string; readonly reference: string }

const isDue = ({ status }: RowOf<'payment_refunds'>): boolean => status === 'pending'

/** A transfer that a dispute dropped, which may have been sent before staff knew of the dispute. */
const isDropped = ({ failure_code }: RowOf<'payment_refunds'>): boolean => failure_code === 'payment_disputed'

/** The transfer, locked, which is not due any more afterwards. Throws `transfer_not_due`. */
async function settle(
  tx: Database,
  payment: RowOf<'payments'>,
  id: number,
  fits: (row: RowOf<'payment_refunds'>) => boolean,
) {
  // The payment is locked first, in the order of a dispute, which avoids deadlocks.
  await lockPayment(tx, payment.id)
  const row = await tx
    .selectFrom('payment_refunds')
    .select(columns.payment_refunds)
    .where('id', '=', id)
    .where('payment_id', '=', payment.id)
    .where('iban', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || !fits(row)) throw refuse('transfer_not_due')
  await resolveAlert(tx, `payment ${payment.id}`, `transfer_due_${id}`)
  return row
}

/**
 * Throws `transfer_above_payment` where other refunds, also those under way, leave no room: the payment would be given back more
 * than whole.
 */
async function assertRoom(
  tx: Database,
  { id: own, payment_id: id, gross }: RowOf<'payment_refunds'>,
): Promise<void> {
  const { rows } = await sql<{ room: boolean }>`select p.refunded + ${gross}::numeric + coalesce((
      select sum(r.gross) from payment_refunds r where r.payment_id = p.id and r.status = 'pending' and r.id <> ${own}), 0) <= p.gross as room
    from payments p where p.id = ${id}`.execute(tx)
  if (!rows[0]?.room) throw refuse('transfer_above_payment')
}

/**
 * The staff action for a transfer that the bank sent. One that a dispute dropped meanwhile is recorded too, because its money is
 * gone. Throws `transfer_not_due`, `transfer_…`, `recent_sign_in_required`.
 */
export async function recordSentTransfer(context: Context, { row: payment, input }: On<Sent>) {
  const { tx } = context
  assertRecentSignIn(context)
  await assertArrived(tx, input.sent_on, 'sent_on')
  const row = await settle(tx, payment, input.refund_id, (one) => isDue(one) || isDropped(one))
  await assertRoom(tx, row)
  await sql`update payment_refunds set status = 'succeeded', failure_code = null, sent_on = ${input.sent_on}, transfer_reference = ${input.reference}
    where id = ${row.id}`.execute(tx)
  await completeRefund(tx, row)
  return { status: 'succeeded' as const }
}

/** The staff action for a transfer that is not sent: its money stays on the balance. Throws like `recordSentTransfer`. */
export async function dropTransfer(context: Context, { row: payment, input }: On<Pick<Sent, 'refund_id'>>) {
  const { tx } = context
  assertRecentSignIn(context)
  const row = await settle(tx, payment, input.refund_id, isDue)
  await sql`update payment_refunds set status = 'failed', failure_code = 'transfer_dropped' where id = ${row.id}`.execute(
    tx,
  )
  return { status: 'failed' as const }
}
