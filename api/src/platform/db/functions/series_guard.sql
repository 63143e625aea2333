-- A number of a series is never issued twice.
create or replace function series_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.next_number = 1 then return old; end if;
  elsif old.next_number = 1 or (new.prefix = old.prefix and new.next_number between old.next_number and old.next_number + 1
    and coalesce(new.last_issue_date >= old.last_issue_date, old.last_issue_date is null))
  then
    return new;
  end if;
  raise exception 'series_used: series % has given numbers', old.prefix using errcode = '55000';
end $$;
