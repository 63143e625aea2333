-- The operator's current day by the business clock; null without an operator.
create or replace function operator_today() returns date language sql stable as
  'select (clock_now() at time zone time_zone)::date from operator_profile';
