-- expand
-- What clients are searched for by, kept beside them: folding it in each comparison took most of the time of a search. Triggers
-- keep it, so that replicas of the release before keep it too. The next migration fills it for the clients that are there.
alter table clients add column search_text text;

-- What a client is searched for by, folded: the name of the person, the address, the company and its VAT number.
create function client_search_text(p_first text, p_last text, p_email text, p_company text, p_vat_number text)
returns text language sql immutable parallel safe as $$
  select search_fold(concat_ws(' ', p_first, p_last, p_email, p_company, replace(p_vat_number, ' ', '')))
$$;

-- Keeps the search text of a client whose name or address is written.
create function client_search_follow() returns trigger language plpgsql as $$
declare
  v_company text;
  v_vat_number text;
begin
  select company_name, vat_number into v_company, v_vat_number from client_entities where client_id = new.id;
  new.search_text := client_search_text(new.first_name, new.last_name, new.email::text, v_company, v_vat_number);
  return new;
end $$;

-- Keeps the search text of a client whose company or VAT number is written.
create function company_search_follow() returns trigger language plpgsql as $$
begin
  update clients c
  set search_text = client_search_text(c.first_name, c.last_name, c.email::text, new.company_name, new.vat_number)
  where c.id = new.client_id and c.search_text is distinct from
    client_search_text(c.first_name, c.last_name, c.email::text, new.company_name, new.vat_number);
  return null;
end $$;

-- After `touch`, in the order of their names, so that a change of the company alone does not touch the client.
create trigger write_search_text before insert or update of first_name, last_name, email on clients
  for each row execute function client_search_follow();
drop trigger touch on clients;
create trigger touch before update on clients for each row
  when (old.search_text is not distinct from new.search_text) execute function touch();
create trigger search_text after insert or update of company_name, vat_number on client_entities
  for each row execute function company_search_follow();
