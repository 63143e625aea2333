-- An amount in billing_policies is read by no rule, so changing one there is a mistake.
create or replace function policy_amounts_moved() returns trigger language plpgsql as $$
begin
  raise exception 'amounts_in_currency_policies' using errcode = '23514', constraint = 'amounts_in_currency_policies';
end $$;
