-- The jobs of the queue. What one is about are the ids in its payload; of its error the first line, in which addresses end
-- at their host because they may hold a secret.
create or replace function jobs_read() returns table (id bigint, task text, about text, attempts int, most_attempts int,
  last_error text, run_at timestamptz, locked_at timestamptz, created_at timestamptz, updated_at timestamptz)
  language plpgsql stable as $$
begin
  return query select j.id, t.identifier,
    (select string_agg(regexp_replace(p.key, 'Id$', '') || ' ' || p.value, ', ' order by p.key)
      from json_each_text(case when json_typeof(j.payload) = 'object' then j.payload else '{}' end) p
      where p.key ~ 'Id$' and p.value ~ '^[0-9]+$'),
    j.attempts::int, j.max_attempts::int,
    left(regexp_replace(split_part(j.last_error, e'\n', 1), '(https?://[^/\s]+)\S*', '\1', 'g'), 300),
    j.run_at, j.locked_at, j.created_at, j.updated_at
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id;
end $$;
