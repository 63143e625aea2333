-- expand
-- As clients_by_name, for banks that write the last name first.
create index concurrently clients_by_last_name on clients (search_fold(last_name || ' ' || first_name));
