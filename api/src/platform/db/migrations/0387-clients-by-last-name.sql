-- expand
-- As clients_by_full_name, for banks that write the last name first.
create index concurrently clients_by_reversed_name on clients (search_fold(last_name || ' ' || first_name));
