-- expand
-- Clients by a part of their name, address or company. clients_found and client_entities_found are of the release before.
create index concurrently clients_by_search_text on clients using gin (search_text gin_trgm_ops);
