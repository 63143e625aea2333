create or replace function clock_now() returns timestamptz language sql stable as 'select now() + ahead from clock';
