-- The current UTC day by the business clock.
create or replace function clock_today() returns date language sql stable as
  'select ((now() + ahead) at time zone ''utc'')::date from clock';
