import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'

export type Payment = RowOf<'payments'>

export type Dispute = RowOf<'payment_disputes'>

/** The current state of a payment; concurrent changes are possible. */
export const paymentRow = (tx: Database, id: number): Promise<Payment> =>
  tx.selectFrom('payments').select(columns.payments).where('id', '=', id).executeTakeFirstOrThrow()

/** A payment, locked until the transaction ends. */
export const lockPayment = (tx: Database, id: number): Promise<Payment> =>
  tx
    .selectFrom('payments')
    .select(columns.payments)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
