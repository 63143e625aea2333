-- expand
-- Companies by their whole name, as a payer's bank writes it: each imported line asks.
create index concurrently client_entities_by_name on client_entities (search_fold(company_name));
