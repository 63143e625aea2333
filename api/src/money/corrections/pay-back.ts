import Big from 'big.js'
import { sql } from 'kysely'
import type { Original } from '#money/invoices/credit-notes.ts'
import type { Issued } from '#money/invoices/issue-document.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { withReplacements } from '#money/payments/disputes/parts.ts'
import { hasPaidBill } from '#money/payments/paid-bills.ts'
import { unclaimed } from '#money/payments/refunds/refunds.ts'
import { beginRefund } from '#money/payments/refunds/request-refund.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { ibanOf } from './iban.ts'

/** Where the money of a credit note goes; the balance by default. */
export type Way = {
  readonly to?: 'balance' | 'card' | 'bank' | undefined
  readonly iban?: string | undefined
}

/** SQL: whether a payment `p` paid a bill, or its deposit had paid it ahead. */
const paysBill = (id: number) =>
  sql`(${hasPaidBill(sql`p`, sql`${id}::int8`)}
    or p.advance_invoice_id in (select r.id::int8 from advance_consumptions c
      cross join lateral jsonb_array_elements_text(${withReplacements(sql`c.advance_id`)}) r (id)
      where c.invoice_id = ${id} and c.amount > 0))`

/** Locks the payments of a bill before its client's accounts, in the order of a dispute, which avoids deadlocks. */
export async function lockPayments(
  tx: Database,
  { id, client_id }: Pick<Original, 'id' | 'client_id'>,
  { to = 'balance' }: Way,
): Promise<void> {
  if (to === 'balance') return
  await sql`select from payments p where p.client_id = ${client_id} and ${paysBill(id)} order by p.id for update`.execute(
    tx,
  )
}

/** The settled payments of a bill that still hold an amount. */
const holding = (bill: Original, gross: Big) => sql`payments p
    where p.client_id = ${bill.client_id} and p.status in ('succeeded', 'partially_refunded')
      and p.gross - p.refunded >= ${gross.toFixed(2)}::numeric and ${paysBill(bill.id)}`

/** How an amount that was paid for a bill can go back to its payer. */
export async function waysBack(tx: Database, bill: Original, gross: Big): Promise<('card' | 'bank')[]> {
  if (gross.lte(0)) return []
  const { rows } = await sql<{ any: boolean; card: boolean }>`
    select count(*) > 0 as any, coalesce(bool_or(p.provider <> 'bank'), false) as card from ${holding(bill, gross)}`.execute(
    tx,
  )
  const [{ any, card } = { any: false, card: false }] = rows
  return [...(card ? (['card'] as const) : []), ...(any ? (['bank'] as const) : [])]
}

/** A settled payment of the bill that still holds the amount, locked. Throws `credit_note_no_payment`. */
async function paymentFor(tx: Database, bill: Original, { to }: Way, gross: Big) {
  const { rows } = await sql<{ id: number; client_id: number }>`
    select p.id, p.client_id from ${holding(bill, gross)} and (${to === 'bank'} or p.provider <> 'bank')
    order by p.settled_at desc, p.id desc limit 1 for update`.execute(tx)
  const [payment] = rows
  if (!payment) throw refuse('credit_note_no_payment')
  return payment
}

/**
 * Sends a deposit that a credit note made back to its payer: a job asks the provider, or staff send a transfer. Until it is
 * sent, and when it cannot be sent, the money is on the balance. Throws `credit_note_no_payment`, `insufficient_balance`,
 * `refund_pending`, `iban_invalid`.
 */
export async function payBack(
  context: Context,
  bill: Original,
  advance: Issued | null,
  { reason, ...way }: Way & { readonly reason: string },
): Promise<number | null> {
  if (way.to === undefined || way.to === 'balance') return null
  const { tx } = context
  const iban = way.to === 'bank' ? ibanOf(way.iban) : null
  if (advance === null) throw refuse('credit_note_no_payment')
  const payment = await paymentFor(tx, bill, way, new Big(advance.total))
  const { balance } = await holdAccounts(tx, bill.client_id)
  if ((await unclaimed(tx, payment, balance)).lt(advance.net)) throw refuse('insufficient_balance')
  return beginRefund(context, {
    payment,
    currency: bill.currency,
    net: advance.net,
    vat: advance.vat,
    gross: advance.total,
    reason,
    iban,
    number: bill.full_number,
    advanceId: advance.id,
  })
}
