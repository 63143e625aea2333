import { type RawBuilder, sql } from 'kysely'
import { withReplacements } from '#money/payments/disputes/parts.ts'
import { hasPaidBill } from '#money/payments/paid-bills.ts'

/**
 * SQL: the deposits that hold money of a payment, as a table (id, number, is_own, is_unused). Its own are those of the payment; the
 * others hold what credit notes took off bills that the payment, or a deposit of it, paid. None of them is the own deposit of
 * another payment, or on its way back through one.
 */
export const refundableDeposits = (payment: RawBuilder<unknown>) => sql`(
  with recursive own as (
    select o.id::int8 as id from jsonb_array_elements_text(${withReplacements(sql`${payment}.advance_invoice_id`)}) o (id)
  ), reached as (
    select id from own
    union
    select o.id::int8 from payment_refunds f
      cross join lateral jsonb_array_elements_text(${withReplacements(sql`f.restored_invoice_id`)}) o (id)
      where f.payment_id = ${payment}.id and f.credit_note_id is not null
    union
    select b.id from invoices b
      where b.client_id = ${payment}.client_id and b.kind = 'fiscal' and b.reason <> 'advance' and b.credited > 0
        and ${hasPaidBill(payment, sql`b.id`)}
    union
    select x.id from reached r cross join lateral (
      select l.invoice_id as id from invoices n
        join invoice_lines l on l.ref_invoice_id = n.id and l.kind = 'advance' where n.corrects_id = r.id
      union all
      select c.invoice_id from advance_consumptions c where c.advance_id = r.id and c.amount > 0) x
  ) select i.id, i.full_number as number, exists (select from own o where o.id = i.id) as is_own,
      i.net > (select coalesce(sum(c.amount), 0) from advance_consumptions c where c.advance_id = i.id) as is_unused
    from reached r join invoices i on i.id = r.id and i.kind = 'fiscal' and i.reason = 'advance'
    where not exists (select from payments o where o.advance_invoice_id = i.id and o.id <> ${payment}.id)
      and not exists (select from payment_refunds f
        where f.advance_invoice_id = i.id and f.status = 'pending' and f.payment_id <> ${payment}.id))`

/** SQL: whether a payment can be refunded now: it is settled, and has room and a deposit with something unused. */
export const isRefundable = (payment: RawBuilder<unknown>) => sql<boolean>`case
  when ${payment}.status not in ('succeeded', 'partially_refunded') or ${payment}.refunded >= ${payment}.gross then false
  when exists (select from payment_refunds f where f.payment_id = ${payment}.id and f.status = 'pending') then false
  else exists (select from ${refundableDeposits(payment)} d where d.is_unused) end`
