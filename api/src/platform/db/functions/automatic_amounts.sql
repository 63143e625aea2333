-- Automatic payment keeps to the amounts of the client's currency.
create or replace function automatic_amounts() returns trigger language plpgsql as $$
declare
  v_broken text := (
    select case
      when new.threshold_amount not between q.threshold_least and q.deposit_most then 'rules_threshold'
      when new.recharge_amount not between q.recharge_least and q.deposit_most then 'rules_recharge'
      when new.monthly_cap > q.cap_most then 'rules_cap_most'
    end
    from clients c join currency_policies q on q.currency_id = c.currency_id where c.id = new.client_id);
begin
  if v_broken is not null then
    raise exception '%', v_broken using errcode = '23514', constraint = v_broken;
  end if;
  return null;
end $$;
