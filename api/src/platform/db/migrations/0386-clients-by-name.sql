-- expand
-- People by their whole name, as a payer's bank writes it.
create index concurrently clients_by_full_name on clients (search_fold(first_name || ' ' || last_name));
