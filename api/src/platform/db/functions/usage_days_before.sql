-- Days before this one that still have events here, oldest first: `attached` as a normal partition, `leaving`
-- when a detach was interrupted, `alone` as a detached table that nobody writes to.
create or replace function usage_days_before(p_before date) returns table (day date, name text, state text) language sql stable as $$
  select to_date(right(c.relname, 8), 'YYYYMMDD'), c.relname::text,
    case when i.inhrelid is null then 'alone' when i.inhdetachpending then 'leaving' else 'attached' end
  from pg_class c
  left join pg_inherits i on i.inhrelid = c.oid
  where c.relnamespace = (select relnamespace from pg_class where oid = 'usage_events'::regclass) and c.relkind = 'r'
    and c.relname ~ '^usage_events_[0-9]{8}$' and c.relname < 'usage_events_' || to_char(p_before, 'YYYYMMDD')
  order by c.relname
$$;
