import { sql } from 'kysely'
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

/** The states of a payment that is not final yet. */
export const openPaymentStates = ['created', 'processing', 'requires_action'] as const

/** Whether a payment is not final yet. */
export const isOpen = ({ status }: { readonly status: string }): boolean =>
  openPaymentStates.some((state) => state === status)

/** SQL: a payment, by its alias, is not final yet; with the words of the partial indexes, which no parameter matches. */
export const isOpenPayment = (payment: string) =>
  sql<boolean>`${sql.ref(`${payment}.status`)} in (${sql.join(openPaymentStates.map((state) => sql.lit(state)))})`

/** SQL: the states of a settled payment of which money can be refunded. */
export const refundableStates = sql`('succeeded', 'partially_refunded')`

/** SQL: the time of the next look at what its provider has: after a minute, then ever less often, up to six hours. */
export const laterLook = sql<string>`now() + least(interval '6 hours', interval '1 minute' * power(2, least(looks, 10)))`
