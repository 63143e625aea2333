-- A text as it is searched for: in lower case and without diacritics. Indexes hold what it returned, so a change of it has
-- to build them again.
create function search_fold(p_text text) returns text language sql immutable strict parallel safe as $$
  select translate(lower(p_text), 'ăâáàäãåîíìïșşţțéèêëóòôöőõúùûüűñçčšžđłý', 'aaaaaaaiiiisstteeeeoooooouuuuunccszdly')
$$;

-- What staff look for, over all clients.
create index clients_found on clients
  using gin (search_fold(first_name || ' ' || last_name || ' ' || email::text) gin_trgm_ops);
create index client_entities_found on client_entities using gin (search_fold(company_name) gin_trgm_ops);
create index client_entities_by_vat_number on client_entities (upper(vat_number));
create index panels_found on panels using gin (search_fold(name || ' ' || coalesce(domain, '')) gin_trgm_ops)
  where deleted_at is null;
create index panel_resources_found on panel_resources using gin (search_fold(name) gin_trgm_ops) where gone_at is null;
create index panel_resources_by_address on panel_resources ((spec ->> 'ipv4')) where gone_at is null;
create index invoices_by_full_number on invoices (upper(full_number));
create index payments_by_ref on payments (provider_ref);
create index cards_by_last4 on cards (last4);

-- The order of the list of clients, and who owes.
create index clients_by_age on clients (created_at, id);
create index clients_by_name on clients (last_name, id);
create index account_balances_owing on account_balances (client_id) where account_balance + credit_balance < 0;

-- The figures of a month: days of use follow one another in the table.
create index usage_charges_by_day on usage_charges using brin (usage_on);
create index payments_settled on payments (settled_at);
