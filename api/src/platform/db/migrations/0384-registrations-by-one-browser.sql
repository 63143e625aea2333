-- expand
-- Of a registration: whether the browser showed the token of the one before it, so that it is the same browser. Null is unknown.
alter table auth_events add column same_browser boolean;
