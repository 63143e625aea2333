-- expand
-- Acts of staff by words of their reason.
create index concurrently staff_actions_found on staff_actions using gin (search_fold(reason) gin_trgm_ops);
