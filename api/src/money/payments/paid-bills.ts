import { type RawBuilder, sql } from 'kysely'
import { roundedIn } from '#money/minor-units.ts'
import { withReplacements } from '#money/payments/disputes/parts.ts'

/**
 * SQL: the money of a payment in a bill, with VAT: what it paid on its arrival or when money that its bank had taken came back, less
 * what its bank took from the bill and gave back, perhaps for another one.
 */
export const paidOfBill = (payment: RawBuilder<unknown>, bill: RawBuilder<unknown>) => sql<string>`(
  select coalesce(sum(entry.amount), 0) - (select coalesce(sum(a.net + a.vat), 0)
      from payment_disputes d join dispute_parts a on a.dispute_id = d.id
      where d.payment_id = ${payment}.id and a.kind = 'bill' and a.invoice_id = ${bill}::int8 and a.returned_at is not null)
  from ledger_transactions t join ledger_entries entry on entry.transaction_id = t.id
    join ledger_accounts account on account.id = entry.account_id and account.kind in ('client_balance', 'client_vat_due')
  where t.idempotency_key in (
    select 'pay:' || ${payment}.id || ':bill:' || ${bill}
    union all
    select 'dispute-part:' || a.id || ':won:bill:' || ${bill}
      from payment_disputes d join dispute_parts a on a.dispute_id = d.id where d.payment_id = ${payment}.id))`

/** SQL: whether money of a payment is in a bill. */
export const hasPaidBill = (payment: RawBuilder<unknown>, bill: RawBuilder<unknown>) =>
  sql<boolean>`${paidOfBill(payment, bill)} > 0`

/** SQL: what a payment got back of the money that credit notes took off a bill, with VAT. */
export const sentBackOfBill = (payment: RawBuilder<unknown>, bill: RawBuilder<unknown>) => sql<string>`(
  select coalesce(sum(f.gross), 0) from payment_refunds f left join invoices n on n.id = f.credit_note_id
  where f.payment_id = ${payment}.id and f.status = 'succeeded' and coalesce(f.advance_invoice_id, n.corrects_id) in (
    select o.id::int8 from jsonb_array_elements_text(${withReplacements(sql`${bill}::int8`)}) o (id)))`

/**
 * SQL: what bills used of deposits, as a table (advance_id, document, bill, net, share). The document that deducts a deposit is the
 * bill itself, or the credit note of the same month, which paid the bill by `share` of what it deducts. See `withVat`.
 */
export const usedByBills = sql`(
  select c.advance_id, c.invoice_id as document, c.invoice_id as bill, c.amount as net, 1 as share
    from advance_consumptions c where c.amount > 0
  union all
  select c.advance_id, m.id, b.id, c.amount, least(b.total / -m.total, 1)
    from invoices b join invoices m on m.client_id = b.client_id and m.period = b.period and m.bill_part <> b.bill_part
      join advance_consumptions c on c.invoice_id = m.id and c.amount > 0
    where b.kind = 'fiscal' and b.reason = 'service_bill' and m.kind = 'credit_note' and m.reason = 'service_bill')`

/** SQL: a net amount `net` and share of `usedByBills` with the VAT of its deposit `i`. */
export const withVat = (net: RawBuilder<unknown>, share: RawBuilder<unknown>) =>
  roundedIn(
    sql`(${net} + ${roundedIn(sql`${net} * i.vat_rate / 100`, sql`i.currency`)}) * ${share}`,
    sql`i.currency`,
  )
