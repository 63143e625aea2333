import Big from 'big.js'
import { sql } from 'kysely'
import type { Original } from '#money/invoices/credit-notes.ts'
import type { Issued } from '#money/invoices/issue-document.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { ownDepositsOf, withReplacements } from '#money/payments/disputes/parts.ts'
import { hasPaidBill, paidOfBill, sentBackOfBill, usedByBills, withVat } from '#money/payments/paid-bills.ts'
import { refundableStates } from '#money/payments/payment-rows.ts'
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

/** What was paid for a bill, VAT included, and whether its credit note gives back the advances that the bill deducted. */
type Paid = { readonly gross: Big; readonly isWhole: boolean }

/** SQL: the deposits that paid a bill ahead, as the table `used`, once for all payments of its client. */
const withUsed = ({ id }: Pick<Original, 'id'>) => sql`with used as materialized (
    select u.document <> u.bill as is_other, u.gross, ${withReplacements(sql`u.advance_id`)} as deposits
    from (select c.advance_id, c.document, c.bill, ${withVat(sql`sum(c.net)`, sql`c.share`)} as gross
        from ${usedByBills} c join invoices i on i.id = c.advance_id where c.bill = ${id}
        group by c.advance_id, c.document, c.bill, c.share, i.vat_rate, i.currency) u)`

/**
 * SQL: what deposits of a payment `p` paid of the bill of `used` ahead, as a table of one row (gross, other): `other` is the part of
 * gross that another document of the month deducts, and no credit note of the bill gives back to the deposit.
 */
const ahead = sql`(
    select coalesce(sum(u.gross), 0) as gross, coalesce(sum(u.gross) filter (where u.is_other), 0) as other
    from used u where exists (select from ${ownDepositsOf(sql`p`)} o where u.deposits @> to_jsonb(o.id)))`

/** Locks the payments of a bill before its client's accounts, in the order of a dispute, which avoids deadlocks. */
export async function lockPayments(
  tx: Database,
  bill: Pick<Original, 'id' | 'client_id'>,
  { to = 'balance' }: Way,
): Promise<void> {
  if (to === 'balance') return
  await sql`${withUsed(bill)} select from payments p where p.client_id = ${bill.client_id}
      and (${hasPaidBill(sql`p`, sql`${bill.id}::int8`)} or (select a.gross > 0 from ${ahead} a))
    order by p.id for update`.execute(tx)
}

/**
 * The settled payments that have an amount in a bill. What else a payment has is kept for that: its own deposits, which it alone
 * can give back, and other bills.
 */
const holding = (bill: Original, { gross, isWhole }: Paid) => sql`payments p cross join lateral ${ahead} a
    where p.client_id = ${bill.client_id} and p.status in ${refundableStates}
      and p.gross - p.refunded >= ${gross.toFixed(2)}::numeric
      and ${paidOfBill(sql`p`, sql`${bill.id}::int8`)} + ${isWhole ? sql`a.other` : sql`a.gross`} - ${sentBackOfBill(sql`p`, sql`${bill.id}`)}
        >= ${gross.toFixed(2)}::numeric`

/** How an amount that was paid for a bill can go back to its payer. */
export async function waysBack(tx: Database, bill: Original, paid: Paid): Promise<('card' | 'bank')[]> {
  if (paid.gross.lte(0)) return []
  const { rows } = await sql<{ any: boolean; card: boolean }>`
    ${withUsed(bill)} select count(*) > 0 as any, coalesce(bool_or(p.provider <> 'bank'), false) as card from ${holding(bill, paid)}`.execute(
    tx,
  )
  const [{ any, card } = { any: false, card: false }] = rows
  return [...(card ? (['card'] as const) : []), ...(any ? (['bank'] as const) : [])]
}

/** A settled payment that has the amount in the bill, locked. Throws `credit_note_no_payment`. */
async function paymentFor(tx: Database, bill: Original, { to }: Way, paid: Paid) {
  const { rows } = await sql<{ id: number; client_id: number }>`
    ${withUsed(bill)} select p.id, p.client_id from ${holding(bill, paid)} and (${to === 'bank'} or p.provider <> 'bank')
    order by p.settled_at desc, p.id desc limit 1 for update of p`.execute(tx)
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
  { advance, isWhole }: { readonly advance: Issued | null; readonly isWhole: boolean },
  { reason, ...way }: Way & { readonly reason: string },
): Promise<number | null> {
  if (way.to === undefined || way.to === 'balance') return null
  const { tx } = context
  const iban = way.to === 'bank' ? ibanOf(way.iban) : null
  if (advance === null) throw refuse('credit_note_no_payment')
  const payment = await paymentFor(tx, bill, way, { gross: new Big(advance.total), isWhole })
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
