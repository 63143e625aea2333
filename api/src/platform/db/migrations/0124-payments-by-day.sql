-- expand
-- Payments of all clients by day, with what the desk filters by.
create index concurrently payments_listed on payments (created_at, id) include (status, client_id);
