create or replace function advance_not_overdrawn() returns trigger language plpgsql as $$
declare
  v_net numeric;
begin
  select net into v_net from invoices where id = new.advance_id and kind = 'fiscal' and reason = 'advance' for no key update;
  if v_net is null or v_net < (select sum(amount) from advance_consumptions where advance_id = new.advance_id) then
    raise exception 'advance_overdrawn: more of advance % is used than there was', new.advance_id using errcode = '23514',
      constraint = 'advance_not_overdrawn';
  end if;
  return null;
end $$;
