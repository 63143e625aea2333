-- What a client is searched for by, folded: the name of the person, the address, the company and its VAT number.
create or replace function client_search_text(p_first text, p_last text, p_email text, p_company text, p_vat_number text)
returns text language sql immutable parallel safe as $$
  select search_fold(concat_ws(' ', p_first, p_last, p_email, p_company, replace(p_vat_number, ' ', '')))
$$;
