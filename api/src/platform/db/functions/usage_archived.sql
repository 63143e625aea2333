-- Records the archive of a day and drops its events, atomically. The first of several concurrent archivers
-- wins: they write the same content.
create or replace function usage_archived(p_day date, p_rows bigint, p_sha256 text, p_storage_key text) returns void
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
