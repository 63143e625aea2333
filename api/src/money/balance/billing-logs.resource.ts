import { billingLogs } from '@portico/contract/resources/billing-logs.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { accountOrStaff } from '#sharing/reach.ts'

/** The parameters of a row's sentence. */
const params = sql`case when billing_log_rows.kind = 'usage'
  then jsonb_build_object('workspace', billing_log_rows.project_name) else billing_log_rows.params end`

const description = sql`case billing_log_rows.description_key
  when 'opening' then 'Balance brought over'
  when 'deposit' then 'Deposit'
  when 'promo' then 'Promotional credit'
  when 'promo_expiry' then 'Promotional credit expired'
  when 'adjustment' then 'Adjustment'
  when 'goodwill' then 'Goodwill credit'
  when 'usage' then 'Usage of ' || billing_log_rows.project_name
  when 'correction' then 'Correction'
  when 'service_bill' then 'Service bill'
  when 'bill_payment' then 'Service bill paid'
  when 'refund' then 'Refund'
  when 'dispute' then 'Disputed payment'
  when 'write_off' then 'Write-off'
  when 'reversal' then 'Reversal'
  else initcap(replace(billing_log_rows.description_key, '_', ' ')) end`

/** Everyone who reads the row may read the account's documents. */
const invoice = sql`(select json_build_object('id', i.id, 'full_number', i.full_number)
  from ledger_transactions t
  left join payments p on t.source_type = 'payment' and p.id = t.source_id
  left join payment_refunds r on r.ledger_transaction_id = t.id or r.reversal_id = t.id
  join invoices i on i.issued_at is not null and i.id = case when t.source_type = 'invoice' then t.source_id
    when t.kind = 'deposit' then p.advance_invoice_id when t.kind = 'bill_payment' then p.invoice_id
    when t.kind = 'refund' then r.credit_note_id when t.kind = 'reversal' then r.restored_invoice_id end
  where t.id = billing_log_rows.ledger_transaction_id)`

const message = sql`(select w.message from balance_messages w
  where w.ledger_transaction_id = billing_log_rows.ledger_transaction_id)`

const currency = sql`(
  select u.code from clients c join currencies u on u.id = c.currency_id where c.id = billing_log_rows.client_id)`

export default serve(billingLogs, {
  table: 'billing_log_rows',
  policy: { read: accountOrStaff('billing_log_rows.client_id', 'billing') },
  account: 'client_id',
  accountOf: { project_id: 'projects' },
  keys: { group: 'billing', inProject: (project) => sql`billing_log_rows.project_id = ${project}` },
  columns: {
    params: () => params,
    description: () => description,
    invoice: () => invoice,
    message: () => message,
  },
  relationships: { project: 'project_id' },
  filters: {
    client_id: 'client_id',
    kind: 'kind',
    period: 'period',
    from: (eb, value) => eb('billing_log_rows.date', '>=', value),
    to: (eb, value) => eb('billing_log_rows.date', '<=', value),
    project_id: 'project_id',
  },
  order: '-date',
  csvOfOne: true,
  csv: {
    period: 'period',
    description: () => description,
    date: 'date',
    deposit: 'deposit',
    payment: 'payment',
    kind: 'kind',
    invoice: () => sql`${invoice} ->> 'full_number'`,
    balance: 'balance_after',
    currency: () => currency,
  },
})
