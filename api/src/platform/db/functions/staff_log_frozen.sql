-- The log of staff is append-only: an action is completed only by the transaction that began it, and of a change only the
-- values are taken away, when the person they are about is erased.
create or replace function staff_log_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'staff_actions' then
    if old.xid = pg_current_xact_id() then
      return new;
    end if;
  elsif tg_op = 'UPDATE' then
    if (new.before, new.after) is not distinct from (null::jsonb, null::jsonb)
      and to_jsonb(new) - '{before,after}'::text[] = to_jsonb(old) - '{before,after}'::text[] then
      return new;
    end if;
  end if;
  raise exception 'staff_log_closed: % of %', lower(tg_op), tg_table_name using errcode = '55000';
end $$;
