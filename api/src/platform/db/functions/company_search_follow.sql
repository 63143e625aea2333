-- Keeps the search text of a client whose company or VAT number is written.
create or replace function company_search_follow() returns trigger language plpgsql as $$
begin
  update clients c
  set search_text = client_search_text(c.first_name, c.last_name, c.email::text, new.company_name, new.vat_number)
  where c.id = new.client_id and c.search_text is distinct from
    client_search_text(c.first_name, c.last_name, c.email::text, new.company_name, new.vat_number);
  return null;
end $$;
