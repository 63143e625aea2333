import { sql } from 'kysely'
import { statusIds } from '#money/invoice-statuses.ts'
import { openPaymentStates } from '#money/payments/payment-rows.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'

/**
 * Cancels a proforma that nothing was paid of, and has its file made again, which says so. Returns whether it was one; the row
 * stays locked.
 */
export async function markCancelled(tx: Database, id: number): Promise<boolean> {
  const { rows } = await sql`update invoices
    set invoice_status_id = invoice_status('cancelled'), pdf_key = null, pdf_sha256 = null
    where id = ${id} and kind = 'proforma' and paid = 0
      and invoice_status_id in ${statusIds('unpaid', 'overdue', 'expired')} returning id`.execute(tx)
  if (rows.length === 0) return false
  await enqueue(tx, 'invoice.documents', { invoiceId: id }, { key: `invoice.documents:${id}` })
  return true
}

/**
 * Cancels an unpaid proforma for a client or staff. A transfer that quotes it later is on the balance all the same. Throws
 * `proforma_not_unpaid`, and `proforma_payment_pending` while a card pays it.
 */
export async function cancelProforma(
  { tx }: Pick<Context, 'tx'>,
  { row }: { readonly row: Pick<RowOf<'invoices'>, 'id'> },
) {
  if (!(await markCancelled(tx, row.id))) throw refuse('proforma_not_unpaid')
  // A payment that begins locks the proforma first, so that it is seen here, or does not begin.
  const paying = await tx
    .selectFrom('payments')
    .select('id')
    .where('proforma_id', '=', row.id)
    .where('status', 'in', openPaymentStates)
    .executeTakeFirst()
  if (paying) throw refuse('proforma_payment_pending')
  return { status: 'cancelled' as const }
}
