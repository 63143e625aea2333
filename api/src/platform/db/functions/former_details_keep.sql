-- Keeps the billing details of a client as they were, when what VAT depends on changes. Details without a place decide nothing.
create or replace function former_details_keep() returns trigger language plpgsql as $$
begin
  if old.country_id is null or old.zip_code is null then return null; end if;
  insert into former_billing_details (client_id, until, account_type, company_name, address1, address2, city, state, zip_code,
    country_id, county_id, vat_number, registration_number, commerce_code)
  values (old.client_id, clock_now(), old.account_type, old.company_name, old.address1, old.address2, old.city, old.state,
    old.zip_code, old.country_id, old.county_id, old.vat_number, old.registration_number, old.commerce_code)
  on conflict do nothing;
  return null;
end $$;
