import { type RawBuilder, sql } from 'kysely'

/** SQL: whether a payment paid a bill: when it arrived, or when money that its bank had taken came back for another bill. */
export const hasPaidBill = (payment: RawBuilder<unknown>, bill: RawBuilder<unknown>) => sql<boolean>`exists (
  select from ledger_transactions t where t.idempotency_key in (
    select 'pay:' || ${payment}.id || ':bill:' || ${bill}
    union all
    select 'dispute-part:' || a.id || ':won:bill:' || ${bill}
      from payment_disputes d join dispute_parts a on a.dispute_id = d.id where d.payment_id = ${payment}.id))`
