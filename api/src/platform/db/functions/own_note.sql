-- Notes a write on the operator's own tables that no member of staff makes at the desk: under the action of the
-- transaction, else under one whose reason `portico.because` has, by which the portal and its commands name themselves, else
-- as unexplained. A later release refuses the last (docs/decisions/0207-unexplained-writes.md).
create or replace function own_note() returns trigger language plpgsql as $$
declare
  v_action bigint := nullif(current_setting('portico.action', true), '')::bigint;
  v_why text := nullif(current_setting('portico.because', true), '');
begin
  if not exists (select from staff_actions where id = v_action and xid = pg_current_xact_id()) then
    v_action := own_action(coalesce(v_why, 'unexplained'),
      case when v_why is null then 'sql' when v_why like 'npm run %' then 'cli' else 'portal' end);
  end if;
  perform staff_note_change(v_action, tg_table_name, tg_op,
    case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
  return null;
end $$;
