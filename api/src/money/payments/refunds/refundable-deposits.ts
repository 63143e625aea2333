import { type RawBuilder, sql } from 'kysely'
import { ownDepositsOf, withReplacements } from '#money/payments/disputes/parts.ts'
import { paidOfBill, sentBackOfBill, usedByBills, withVat } from '#money/payments/paid-bills.ts'
import { refundableStates } from '#money/payments/payment-rows.ts'

/** SQL: what a bill used of a deposit `i`, with VAT, less what its credit note gave back to the deposit. */
const consumed = sql`(select u.bill, ${withVat(sql`u.net`, sql`u.share`)} as gross from (
    select c.bill, c.share, c.net + coalesce((select sum(g.amount) from invoices n
      join advance_consumptions g on g.invoice_id = n.id and g.advance_id = c.advance_id where n.corrects_id = c.document), 0) as net
    from ${usedByBills} c where c.advance_id = i.id) u where u.net > 0)`

/**
 * SQL: the deposits that hold money of a payment, as a table (id, number, is_own, most, is_unused). Its own are those of the
 * payment; the others hold what credit notes took off bills that the payment, or a deposit of it, paid. None of them is the own
 * deposit of another payment, or on its way back through one. `most` is what the payment has in the bill, with VAT: the rest of
 * such a deposit is of other payments. It is null where no bill had the money.
 */
export const refundableDeposits = (payment: RawBuilder<unknown>) => sql`(
  with recursive own as (
    select o.id from ${ownDepositsOf(payment)} o
  ), reached (id, bill, via, part) as (
    select id, null::int8, null::int8, null::numeric from own
    union
    select o.id::int8, null, null, null from payment_refunds f
      cross join lateral jsonb_array_elements_text(${withReplacements(sql`f.restored_invoice_id`)}) o (id)
      where f.payment_id = ${payment}.id and f.credit_note_id is not null
    union
    select b.id, b.id, null, paid.part from invoices b cross join lateral (select ${paidOfBill(payment, sql`b.id`)} as part) paid
      where b.client_id = ${payment}.client_id and b.kind = 'fiscal' and b.reason <> 'advance' and b.credited > 0 and paid.part > 0
    union
    select x.id, x.bill, x.via, x.part from reached r join invoices i on i.id = r.id cross join lateral (
      select l.invoice_id as id, r.bill, r.via, r.part from invoices n
        join invoice_lines l on l.ref_invoice_id = n.id and l.kind = 'advance' where n.corrects_id = r.id
      union all
      select u.bill, u.bill, r.id, least(r.part, u.gross) from ${consumed} u) x
  ), deposits as (
    select i.id, i.full_number as number, i.net, exists (select from own o where o.id = i.id) as is_own,
      (select sum(t.part) - ${sentBackOfBill(payment, sql`t.bill`)} from (
        select distinct r.bill, r.via, r.part from reached r where r.id = i.id and r.bill is not null) t group by t.bill) as most
    from invoices i where i.id in (select id from reached) and i.kind = 'fiscal' and i.reason = 'advance'
  ) select d.id, d.number, d.is_own, d.most, coalesce(d.most > 0, true)
      and d.net > (select coalesce(sum(c.amount), 0) from advance_consumptions c where c.advance_id = d.id) as is_unused
    from deposits d
    where not exists (select from payments o where o.advance_invoice_id = d.id and o.id <> ${payment}.id)
      and not exists (select from payment_refunds f
        where f.advance_invoice_id = d.id and f.status = 'pending' and f.payment_id <> ${payment}.id))`

/** SQL: whether a payment can be refunded now: it is settled, and has room and a deposit with something unused. */
export const isRefundable = (payment: RawBuilder<unknown>) => sql<boolean>`case
  when ${payment}.status not in ${refundableStates} or ${payment}.refunded >= ${payment}.gross then false
  when exists (select from payment_refunds f where f.payment_id = ${payment}.id and f.status = 'pending') then false
  else exists (select from ${refundableDeposits(payment)} d where d.is_unused) end`
