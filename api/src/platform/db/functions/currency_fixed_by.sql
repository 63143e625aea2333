-- What keeps an account in its currency; null: it can be changed. A panel counts as use, which may arrive any moment.
create or replace function currency_fixed_by(p_client bigint) returns text language sql stable as $$
  select case
    when exists (select from ledger_accounts where client_id = p_client and version > 0) then 'transactions'
    when exists (select from panels where client_id = p_client and deleted_at is null)
      or exists (select from usage_client_days where client_id = p_client) then 'use'
    when exists (select from payments where client_id = p_client and status in ('created', 'processing', 'requires_action'))
      or exists (select from invoices i join invoice_statuses s on s.id = i.invoice_status_id
        where i.client_id = p_client and s.code in ('draft', 'unpaid', 'partially_paid', 'overdue')) then 'payment'
    when exists (select from automated_billing_rules where client_id = p_client and enabled) then 'automatic'
    when exists (select from client_price_lists where client_id = p_client) then 'prices'
  end
$$;
