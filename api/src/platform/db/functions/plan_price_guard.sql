-- A monthly price is no finer than the decimals of its currency.
create or replace function plan_price_guard() returns trigger language plpgsql as $$
declare
  v_decimals int := (select c.decimals from price_lists l join currencies c on c.code = l.currency where l.id = new.price_list_id);
begin
  if new.monthly <> round(new.monthly, v_decimals) then
    raise exception 'plan_price_too_fine' using errcode = '23514', constraint = 'plan_price_too_fine',
      detail = jsonb_build_object('monthly', new.monthly::text, 'decimals', v_decimals)::text;
  end if;
  return new;
end $$;
