-- An account whose country becomes known is in the currency of that country, and has the credit of its trial.
create or replace function country_told() returns trigger language plpgsql as $$
begin
  -- Waits for what is being paid in the currency until now, which then keeps it.
  perform 1 from clients where id = new.client_id and currency_follows_country
    and currency_id <> currency_for(new.country_id) for update;
  update clients set currency_id = currency_for(new.country_id)
    where id = new.client_id and currency_follows_country and currency_id <> currency_for(new.country_id)
      and currency_fixed_by(id) is null;
  perform trial_credit_give(new.client_id);
  return null;
end $$;
