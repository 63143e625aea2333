-- Events whose time is over go into files: a day is dropped here only when it is read back there.

-- Where the events of a day went. The file is CSV with a line of headings, compressed by zstd.
create table usage_archives (
  day date primary key,
  rows bigint not null check (rows >= 0),
  -- Of the file as it is kept.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  storage_key text not null unique,
  archived_at timestamptz not null default now()
);

drop function usage_retire(date);

-- Days before this one whose events are here, the oldest first: `attached` like all others, `leaving` when taking one out
-- was interrupted, `alone` when it is a table of its own, which nobody writes to.
create function usage_days_before(p_before date) returns table (day date, name text, state text) language sql stable as $$
  select to_date(right(c.relname, 8), 'YYYYMMDD'), c.relname::text,
    case when i.inhrelid is null then 'alone' when i.inhdetachpending then 'leaving' else 'attached' end
  from pg_class c
  left join pg_inherits i on i.inhrelid = c.oid
  where c.relnamespace = (select relnamespace from pg_class where oid = 'usage_events'::regclass) and c.relkind = 'r'
    and c.relname ~ '^usage_events_[0-9]{8}$' and c.relname < 'usage_events_' || to_char(p_before, 'YYYYMMDD')
  order by c.relname
$$;

-- Writes down where the events of a day went and drops them here, both or neither. Of several who were at it the first
-- counts: what they wrote is the same.
create function usage_archived(p_day date, p_rows bigint, p_sha256 text, p_storage_key text) returns void
language plpgsql as $$
declare
  v_name text := 'usage_events_' || to_char(p_day, 'YYYYMMDD');
  v_here bigint;
begin
  if to_regclass(v_name) is null then return; end if;
  execute format('lock table %I in access exclusive mode', v_name);
  execute format('select count(*) from %I', v_name) into v_here;
  if v_here <> p_rows then
    raise exception 'usage_archive_incomplete: % has % rows, and % were written', v_name, v_here, p_rows;
  end if;
  insert into usage_archives (day, rows, sha256, storage_key) values (p_day, p_rows, p_sha256, p_storage_key);
  execute format('drop table %I', v_name);
end $$;
