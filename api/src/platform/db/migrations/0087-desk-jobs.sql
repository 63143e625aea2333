-- The queue for the desk. Its tables are made after the migrations, so a function that is planned when it runs reads them;
-- its text is in functions/jobs_read.sql.
create function jobs_read() returns table (id bigint, task text, about text, attempts int, most_attempts int, last_error text,
  run_at timestamptz, locked_at timestamptz, created_at timestamptz, updated_at timestamptz)
  language plpgsql stable as $$ begin return; end $$;
create view desk_jobs as
  select id, task, about, attempts, most_attempts, last_error, run_at, locked_at, created_at, updated_at from jobs_read();
