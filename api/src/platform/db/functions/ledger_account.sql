-- A platform account by its code, created if missing; a client's account must exist.
create or replace function ledger_account(p_code text, p_currency char(3)) returns bigint language plpgsql as $$
declare
  v_id bigint;
  v_kind text;
begin
  select id into v_id from ledger_accounts where code = p_code;
  if found then return v_id; end if;
  v_kind := case
    when p_code ~ ('^psp:[a-z0-9_-]{1,30}:' || p_currency || '$') then 'psp_clearing'
    when p_code = 'bank:' || p_currency then 'bank'
    when p_code = 'suspense:' || p_currency then 'suspense'
    when p_code = 'revenue:usage:' || p_currency then 'revenue_usage'
    when p_code ~ ('^vat:[A-Z]{2}:[0-9]{1,2}(\.[0-9]{1,2})?:' || p_currency || '$') then 'vat_payable'
    when p_code = 'revenue:other:' || p_currency then 'revenue_other'
    when p_code = 'adjustment:' || p_currency then 'adjustment'
    when p_code = 'promo:' || p_currency then 'promo_expense'
    when p_code = 'goodwill:' || p_currency then 'goodwill'
    when p_code = 'chargeback:' || p_currency then 'chargeback'
    when p_code = 'writeoff:' || p_currency then 'writeoff'
    when p_code = 'fees:' || p_currency then 'psp_fees'
    -- Balances from before this ledger began.
    when p_code = 'opening:' || p_currency then 'opening'
  end;
  if v_kind is null then
    raise exception 'ledger_account_unknown: there is no account % in %', p_code, p_currency using errcode = 'LG001';
  end if;
  insert into ledger_accounts (code, kind, currency) values (p_code, v_kind, p_currency) on conflict (code) do nothing;
  select id into v_id from ledger_accounts where code = p_code;
  return v_id;
end $$;
