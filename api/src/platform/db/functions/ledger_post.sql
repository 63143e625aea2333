-- The only way to post: an entry is {"account": code, "amount": decimal}, as text to avoid rounding. The same
-- key returns the same id with `posted` false and writes nothing; with different data it raises LG002. The
-- day is not compared, so that a retry after midnight is the same posting.
create or replace function ledger_post(
  p_key text,
  p_kind text,
  p_client bigint,
  p_currency char(3),
  p_on date,
  p_entries jsonb,
  p_source_type text default null,
  p_source_id bigint default null,
  p_reverses bigint default null
) returns table (id bigint, posted boolean) language plpgsql as $$
#variable_conflict use_column
declare
  v_id bigint;
  v_entries int;
  v_sum numeric;
  v_precise boolean;
begin
  -- Locks in id order, once for the whole transaction: concurrent postings for this client wait here.
  perform 1 from ledger_accounts a where a.client_id = p_client order by a.id for no key update;

  select t.id into v_id from ledger_transactions t where t.idempotency_key = p_key;
  if v_id is null then
    if exists (select from ledger_transactions t where t.reverses_id = p_reverses) then
      raise exception 'ledger_reversed_already: ledger transaction % was reversed before', p_reverses using errcode = 'LG003';
    end if;
    -- Checked here as well: a failure at commit could not name the posting.
    select count(*), sum(e.amount), bool_or(e.amount <> round(e.amount, 6)) into v_entries, v_sum, v_precise
      from jsonb_to_recordset(p_entries) e (amount numeric);
    if v_precise then
      raise exception 'ledger_too_precise: an amount has more than 6 decimals' using errcode = '22003';
    end if;
    if v_entries < 2 or v_sum <> 0 then
      raise exception 'ledger_unbalanced: % has % entries with the sum %', p_key, v_entries, v_sum using errcode = '23514';
    end if;
    insert into ledger_transactions
        (idempotency_key, kind, client_id, currency, effective_on, source_type, source_id, reverses_id)
      values (p_key, p_kind, p_client, p_currency, p_on, p_source_type, p_source_id, p_reverses)
      on conflict (idempotency_key) do nothing returning ledger_transactions.id into v_id;
    if v_id is not null then
      insert into ledger_entries (transaction_id, account_id, currency, amount)
        select v_id, e.account_id, p_currency, e.amount
        from (select ledger_account(x.account, p_currency) as account_id, x.amount
          from jsonb_to_recordset(p_entries) x (account text, amount numeric)) e
        order by e.account_id;
      return query select v_id, true;
      return;
    end if;
    select t.id into v_id from ledger_transactions t where t.idempotency_key = p_key;
  end if;

  if not exists (
    select from ledger_transactions t
    where t.id = v_id
      and (t.kind, t.client_id, t.currency, t.source_type, t.source_id, t.reverses_id)
        is not distinct from (p_kind, p_client, p_currency, p_source_type, p_source_id, p_reverses)
      and (select jsonb_agg(jsonb_build_array(a.code, e.amount) order by a.code, e.amount)
        from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = t.id)
      = (select jsonb_agg(jsonb_build_array(x.account, x.amount) order by x.account, x.amount)
        from jsonb_to_recordset(p_entries) x (account text, amount numeric))
  ) then
    raise exception 'ledger_key_reused: % was posted with other data', p_key using errcode = 'LG002';
  end if;
  return query select v_id, false;
end $$;
