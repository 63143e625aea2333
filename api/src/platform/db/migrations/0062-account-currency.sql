-- A new account's currency follows its country, until something is kept in it.
alter table countries add column currency_id bigint references currencies;
update countries n set currency_id = c.id from currencies c
where c.code = case
  when n.code = 'RO' then 'RON'
  when n.code in ('AT', 'BE', 'BG', 'CY', 'DE', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PT',
    'SI', 'SK') then 'EUR'
  else 'USD'
end;

alter table clients
  -- False once a person chose it, and for accounts that were opened in a currency.
  add column currency_follows_country boolean not null default false,
  -- The trial runs, and its credit is given once the currency is known.
  add column trial_credit_due boolean not null default false;

create function currencies_offered() returns setof bigint language sql stable as 'select id from currencies';
create function currency_for(p_country bigint) returns bigint language sql stable as 'select 1::bigint';
create function currency_fixed_by(p_client bigint) returns text language sql stable as 'select null';
create function trial_credit_give(p_client bigint) returns void language plpgsql as 'begin end';
create function country_told() returns trigger language plpgsql as 'begin return null; end';
create function panel_needs_credit() returns trigger language plpgsql as 'begin return null; end';
create function refuse_other_currency() returns trigger language plpgsql as 'begin return new; end';

create trigger country_told after insert or update of country_id on client_entities for each row
  when (new.country_id is not null) execute function country_told();
create trigger needs_credit after insert on panels for each row execute function panel_needs_credit();

-- A payment or document that was priced while the currency changed is tried again.
create trigger refuse_other_currency before insert on payments for each row execute function refuse_other_currency();
create trigger refuse_other_currency before insert on invoices for each row execute function refuse_other_currency();
