import type { deskPayments } from '@portico/contract/resources/desk-payments.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import { isFound } from '#desk/search.ts'
import { isOpenPayment } from '#money/payments/payment-rows.ts'

type Filter = keyof typeof deskPayments.filters

/** SQL: a payment waits for the person or the provider. */
export const waits = isOpenPayment('payments')

/** SQL: a later payment of the client of a payment, by its alias, arrived, which settles the matter of one that failed. */
export const isPaidSince = (payment: string) => sql<SqlBool>`exists (select from payments o
  where o.client_id = ${sql.ref(`${payment}.client_id`)} and o.created_at > ${sql.ref(`${payment}.created_at`)}
    and o.settled_at is not null)`

/** SQL: the payments whose reference begins with a text; migration 0394 indexes it. */
const byBeginning = (
  text: Expression<string>,
) => sql`select p.id from payments p where p.provider_ref is not null
  and search_fold(p.provider_ref) collate "C" >= search_fold(${text})
  and search_fold(p.provider_ref) collate "C" < search_fold(${text}) || chr(1114111)`

/** SQL: the payments with a refund, a dispute or a line of a statement that has a reference. */
const byOther = (
  text: Expression<string>,
) => sql`select f.payment_id from payment_refunds f where f.provider_ref = ${text}
  union all select f.payment_id from payment_refunds f where f.transfer_reference = ${text}
  union all select d.payment_id from payment_disputes d where d.provider in ('stripe', 'sandbox') and d.provider_ref = ${text}
  union all select coalesce(l.payment_id, (select o.payment_id from bank_lines o where o.id = bank_line_root(l.same_as))) from bank_lines l
    where l.state <> 'taken_back' and l.iban = any(array(select distinct s.iban from bank_statements s))
      and coalesce(l.bank_reference, l.reference) = ${text}`

/** SQL: the payments of the clients that a search of clients finds. */
const ofFound = (text: Expression<string>) =>
  sql`select p.id from clients c join payments p on p.client_id = c.id where ${isFound('c', text)}`

/** The condition of each filter; a test names the index of each. */
export const conditions: Record<Filter, (value: Expression<string>) => Expression<SqlBool>> = {
  client_id: (value) => sql`payments.client_id = ${value}::int8`,
  provider: (value) => sql`payments.provider = ${value}`,
  state: (value) => sql`(case
    when payments.status = 'failed' then 'failed' when ${waits} then 'waiting'
    when payments.status in ('succeeded', 'partially_refunded', 'refunded', 'disputed') then 'settled' end) = ${value}`,
  status: (value) => sql`payments.status = ${value}`,
  amount: (value) => sql`payments.gross = ${value}::numeric`,
  // Whole UTC days, as payments are counted.
  from: (value) => sql`payments.created_at >= (${value}::date)::timestamp at time zone 'utc'`,
  to: (value) => sql`payments.created_at < (${value}::date + 1)::timestamp at time zone 'utc'`,
  days: (value) =>
    sql`payments.created_at >= (clock_today() - ${value}::int + 1)::timestamp at time zone 'utc'`,
  // The planner expects few of an array: it would read all payments in the order of the list instead.
  search: (value) =>
    sql`payments.id = any(array(${byBeginning(value)} union all ${byOther(value)} union all ${ofFound(value)}))`,
}

/** The filters by which payments are counted (migration 0165). */
export const countedFilters = ['state', 'status', 'from', 'to', 'days'] as const
