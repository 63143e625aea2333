-- Refuses to give a member of staff what only customers have. The argument names the column of the client. The key share
-- lock waits for a login that is just becoming one of staff.
create or replace function refuse_staff() returns trigger language plpgsql as $$
begin
  if (select kind from clients where id = (to_jsonb(new) ->> tg_argv[0])::bigint for key share) = 'staff' then
    raise exception 'staff_no_customer: % of %', tg_table_name, tg_argv[0] using errcode = '23514',
      constraint = 'staff_no_customer';
  end if;
  return new;
end $$;
