-- expand
-- Accounts of an engine from before the portal that staff linked to clients. `asked`: the engine may or may not know.
create table panel_takeovers (
  id bigint generated always as identity primary key,
  panel_engine_id bigint not null references panel_engines,
  external_id text not null,
  panel_id bigint not null references panels,
  state text not null default 'asked' check (state in ('asked', 'adopted', 'refused', 'released')),
  asked_at timestamptz not null,
  ended_at timestamptz
);
create unique index panel_takeovers_open on panel_takeovers (panel_engine_id, external_id)
  where state in ('asked', 'adopted');
create index panel_takeovers_by_panel on panel_takeovers (panel_id);
