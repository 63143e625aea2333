import { invoiceStatus } from '@portico/contract/resources/invoice-statuses.ts'
import Big from 'big.js'
import { type SqlBool, sql } from 'kysely'
import type * as z from 'zod/mini'

type InvoiceStatus = z.output<typeof invoiceStatus>

/** A list of statuses for `in`, as `invoices.invoice_status_id` has them: their ids are in the order of the contract. */
export const statusIds = (...codes: readonly InvoiceStatus[]) =>
  sql`(${sql.join(codes.map((code) => sql.lit(invoiceStatus.options.indexOf(code) + 1)))})`

const billReasonNames = ['service_bill', 'manual'] as const

/** SQL: the reasons of invoices that ask for money, as `invoices.reason` has them. */
export const billReasons = sql`(${sql.join(billReasonNames.map((name) => sql.lit(name)))})`

type Document = { readonly kind: string; readonly reason: string }

/** Whether a document asks for money. A credit note has the reason of a bill where a month came to less than nothing. */
export const isBill = ({ kind, reason }: Document): boolean =>
  kind === 'fiscal' && billReasonNames.some((name) => name === reason)

/** Whether a bill states a month and asks for nothing, because advances paid it or it cost nothing. */
export const isStatement = ({ kind, reason, total }: Document & { readonly total: string }): boolean =>
  kind === 'fiscal' && reason === 'service_bill' && new Big(total).eq(0)

/** SQL: `isStatement` of a row of `invoices`. */
export const isStatementRow = sql<SqlBool>`invoices.reason = 'service_bill' and invoices.kind = 'fiscal' and invoices.total = 0`

/** Of documents that something may be left to pay of. */
export const owedStatuses = statusIds('unpaid', 'partially_paid', 'overdue')

/** SQL: a row of `invoices`, by its alias, asks for money that the client still owes. */
export const isOwedBill = (invoices: string) => {
  const of = (column: string) => sql.ref(`${invoices}.${column}`)
  return sql<SqlBool>`(${of('kind')} = 'fiscal' and ${of('reason')} in ${billReasons} and ${of('invoice_status_id')} in ${owedStatuses})`
}

/** Of documents of which nothing is left after credit notes; a bill that deposits paid has the total 0 before too. */
export const takenBackStatuses = statusIds('cancelled', 'refunded')

/** SQL: what is left to pay of a row of `invoices`. */
export const openAmount = sql<string>`case when invoices.kind = 'credit_note'
    or invoices.invoice_status_id in ${statusIds('cancelled', 'expired', 'refunded')} then 0
  else greatest(invoices.total - invoices.paid - invoices.credited, 0) end`

/** SQL: what arriving money can still pay of a row of `invoices`: what is left to pay, and what was written off (decision 0173). */
export const payableAmount = sql<string>`(${openAmount} + invoices.written_off)`
