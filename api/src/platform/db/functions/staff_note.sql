-- Notes what a write of staff changed, under the action of this transaction; without one the write is refused. Staff are
-- named by `portico.staff`, the action by `portico.action`, both for the transaction alone.
create or replace function staff_note() returns trigger language plpgsql as $$
declare
  v_action bigint := nullif(current_setting('portico.action', true), '')::bigint;
begin
  if not exists (select from staff_actions where id = v_action and xid = pg_current_xact_id()) then
    raise exception 'staff_action_missing: % of %', lower(tg_op), tg_table_name using errcode = '55000';
  end if;
  perform staff_note_change(v_action, tg_table_name, tg_op,
    case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
  return null;
end $$;
