-- Refuses a commit that leaves something offered or used without a price; the detail lists what lacks one.
create or replace function plans_priced() returns trigger language plpgsql as $$
declare
  v_gaps jsonb := (select jsonb_agg(g) from price_gaps(clock_today()) g);
begin
  if v_gaps is not null then
    raise exception 'price_missing' using errcode = '23514', constraint = 'price_missing', detail = v_gaps::text;
  end if;
  return null;
end $$;
