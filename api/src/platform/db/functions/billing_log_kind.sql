-- The display names of ledger kinds that differ from the books.
create or replace function billing_log_kind(p_kind text) returns text language sql immutable as $$
  select case
    when p_kind in ('deposit', 'refund', 'write_off', 'usage') then p_kind
    when p_kind in ('promo', 'promo_expiry', 'goodwill') then 'promo'
    when p_kind in ('service_bill', 'bill_payment') then 'service_bill'
    else 'adjustment' end
$$;
