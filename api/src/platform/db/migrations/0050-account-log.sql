-- What people do in an account stands in its log, between what happened to how it is signed in to.
alter table auth_events
  -- Who did it, where it can be somebody else than the account's own person: the client, whose name is read when the log is.
  add column actor_client_id bigint references clients on delete set null,
  -- The API key that did it, by the name that it had then.
  add column actor_key text,
  -- What changed, by the names that the API has for it.
  add column details jsonb;
create index auth_events_by_actor on auth_events (actor_client_id) where actor_client_id is not null;
