-- Keeps the search text of a client whose name or address is written.
create or replace function client_search_follow() returns trigger language plpgsql as $$
declare
  v_company text;
  v_vat_number text;
begin
  select company_name, vat_number into v_company, v_vat_number from client_entities where client_id = new.id;
  new.search_text := client_search_text(new.first_name, new.last_name, new.email::text, v_company, v_vat_number);
  return new;
end $$;
