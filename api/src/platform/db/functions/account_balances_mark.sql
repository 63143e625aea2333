create or replace function account_balances_mark() returns trigger language plpgsql as $$
begin
  new.evaluate_due := true;
  return new;
end $$;
