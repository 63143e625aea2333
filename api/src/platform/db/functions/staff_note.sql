-- Notes what a write of staff changed, under the action of this transaction; without one the write is refused. Staff are
-- named by `portico.staff`, the action by `portico.action`, both for the transaction alone.
create or replace function staff_note() returns trigger language plpgsql as $$
declare
  v_action bigint := nullif(current_setting('portico.action', true), '')::bigint;
  v_before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  v_after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  if not exists (select from staff_actions where id = v_action and xid = pg_current_xact_id()) then
    raise exception 'staff_action_missing: % of %', lower(tg_op), tg_table_name using errcode = '55000';
  end if;
  update staff_actions a set client_id = c.id
  from clients c
  where a.id = v_action and a.client_id is null and c.id = (case when tg_table_name = 'clients'
    then coalesce(v_after, v_before) ->> 'id' else coalesce(v_after, v_before) ->> 'client_id' end)::bigint;
  -- A new row is noted whole, which is most of what staff write at once; only one with a secret is looked through.
  if tg_op = 'INSERT' and v_after::text not like '%"\\\\x%' then
    insert into staff_action_changes (action_id, table_name, row_id, op, after)
    values (v_action, tg_table_name, v_after ->> 'id', 'insert', v_after);
    return null;
  end if;
  insert into staff_action_changes (action_id, table_name, row_id, op, before, after)
  select v_action, tg_table_name, coalesce(v_after, v_before) ->> 'id', lower(tg_op),
    jsonb_object_agg(k, case when is_secret then '"changed"' else v_before -> k end) filter (where v_before ? k),
    jsonb_object_agg(k, case when is_secret then '"changed"' else v_after -> k end) filter (where v_after ? k)
  from (select k from jsonb_object_keys(coalesce(v_after, v_before)) k where v_before -> k is distinct from v_after -> k offset 0) d,
    lateral (select coalesce(v_before ->> k ~ '^\\x', false) or coalesce(v_after ->> k ~ '^\\x', false) as is_secret) s
  having count(*) > 0;
  return null;
end $$;
