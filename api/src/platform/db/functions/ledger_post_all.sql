-- Posts as `ledger_post` does each: {"place", "key", "kind", "client", "currency", "day", "entries", "source_type", "source_id"}.
-- The first new posting of each client shares the statements of the others; between two of one client the balance may pass
-- through zero.
create or replace function ledger_post_all(p_postings jsonb) returns table (place int, id bigint, posted boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  -- The ids of those that were posted together, by their places.
  v_made jsonb;
begin
  -- Locks in id order, once for all of them.
  perform 1 from ledger_accounts a
    where a.client_id in (select (x ->> 'client')::bigint from jsonb_array_elements(p_postings) x)
    order by a.id for no key update;
  with asked as (
    select x.*, row_number() over (partition by x.client order by x.place) as of_client,
      row_number() over (partition by x.key order by x.place) as of_key
    from jsonb_to_recordset(p_postings) x (place int, key text, kind text, client bigint, currency char(3), day date,
      entries jsonb, source_type text, source_id bigint)
  ), made as (
    insert into ledger_transactions (idempotency_key, kind, client_id, currency, effective_on, source_type, source_id)
    select key, kind, client, currency, coalesce(day, clock_today()), source_type, source_id
    from asked
    where of_client = 1 and of_key = 1 and client is not null
      -- `ledger_post` says what is wrong with the others.
      and (select count(*) > 1 and sum(e.amount) = 0 and not bool_or(e.amount <> round(e.amount, 6))
        from jsonb_to_recordset(entries) e (amount numeric))
    order by place
    on conflict (idempotency_key) do nothing
    returning ledger_transactions.id, idempotency_key
  )
  select coalesce(jsonb_object_agg(asked.place, made.id), '{}') into v_made
    from made join asked on asked.key = made.idempotency_key and asked.of_key = 1;
  insert into ledger_entries (transaction_id, account_id, currency, amount)
    select n.id, n.account_id, n.currency, n.amount
    from (select (v_made ->> x.place::text)::bigint as id, ledger_account(e.account, x.currency) as account_id, x.currency, e.amount
      from jsonb_to_recordset(p_postings) x (place int, currency char(3), entries jsonb),
        jsonb_to_recordset(x.entries) e (account text, amount numeric)
      where v_made ? x.place::text) n
    order by n.account_id;
  return query select k::int, v::bigint, true from jsonb_each_text(v_made) m (k, v);
  return query
    select x.place, p.id, p.posted
    from (select * from jsonb_to_recordset(p_postings) x (place int, key text, kind text, client bigint, currency char(3),
        day date, entries jsonb, source_type text, source_id bigint)
      where not v_made ? x.place::text order by x.place offset 0) x,
    lateral ledger_post(x.key, x.kind, x.client, x.currency, coalesce(x.day, clock_today()), x.entries, x.source_type, x.source_id) p;
end $$;
