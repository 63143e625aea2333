-- Names the reason of a transaction by hand: `select portico_because('why')` at psql, before anything else. The log of staff
-- gets an entry without a person, and everything that staff could change is noted under it, of clients too.
create or replace function portico_because(why text) returns bigint language plpgsql as $$
begin
  perform set_config('portico.staff', 'sql', true);
  return own_action(why, 'sql');
end $$;
