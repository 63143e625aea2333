-- expand
-- What people asked of the power of servers, so that a repeated request is done and logged once.
create table server_powers (
  id bigint generated always as identity primary key,
  resource_id bigint not null references panel_resources on delete cascade,
  request_id text not null,
  action text not null check (action in ('start', 'stop', 'restart')),
  -- While it is asked, the engine may or may not have done it.
  state text not null default 'asked' check (state in ('asked', 'done', 'waiting')),
  asked_at timestamptz not null,
  unique (resource_id, request_id)
);
create index server_powers_by_age on server_powers (asked_at);
