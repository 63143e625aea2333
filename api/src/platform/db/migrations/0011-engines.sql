-- Engines beside the built-in one: where they are, by what they are known, what they can do, and how they do.
alter table panel_engines drop constraint panel_engines_kind_check;
alter table panel_engines
  add constraint panel_engines_kind_check check (kind in ('simulated', 'http')),
  add constraint panel_engines_code_check check (code ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  add column base_url text,
  -- As the engine says of itself; see contract/panel-engine.v1.yaml.
  add column capabilities jsonb not null default
    '{"provision": true, "suspend": true, "sso": true, "events": true, "domain_scopes": true, "usage": "none", "kinds": ["server", "cluster", "domain"], "plans": []}',
  add column version text,
  add column health text not null default 'unknown' check (health in ('unknown', 'up', 'down')),
  add column health_detail text,
  add column health_checked_at timestamptz,
  -- One that is disabled is not asked, not heard and gets no new panels.
  add column disabled_at timestamptz,
  add constraint panel_engines_address check ((kind = 'http') = (base_url is not null));

-- Asking an engine how it does is no change of it.
drop trigger touch on panel_engines;
create trigger touch before update on panel_engines for each row
  when ((old.code, old.name, old.kind, old.is_default, old.base_url, old.disabled_at) is distinct from
    (new.code, new.name, new.kind, new.is_default, new.base_url, new.disabled_at))
  execute function touch();

-- The secrets that portal and engine sign with: two at most, so that one can follow the other without a lost message.
create table panel_engine_secrets (
  panel_engine_id bigint not null references panel_engines on delete cascade,
  slot smallint not null check (slot in (1, 2)),
  sealed bytea not null,
  created_at timestamptz not null default now(),
  primary key (panel_engine_id, slot)
);

alter table panels
  -- What the engine last said of the panel, and when that was so.
  add column engine_status text
    check (engine_status in ('provisioning', 'active', 'degraded', 'suspended', 'error', 'deleting', 'deleted')),
  add column engine_status_at timestamptz,
  -- What the portal asked of the engine in vain, to be asked again by a person.
  add column failed_step text check (failed_step in ('provision', 'delete')),
  add column suspended_at timestamptz,
  add column suspend_reason text check (length(suspend_reason) <= 200),
  -- The engine has not confirmed yet that the panel is suspended, or no longer so.
  add column suspension_due boolean not null default false;

-- Panels that failed before there was a word for it: the engine knows those that have an id.
update panels set failed_step = case when external_id is null then 'provision' else 'delete' end where status = 'error';

drop index panels_by_due;
create index panels_by_due on panels (sync_due_at)
  where external_id is not null and deleted_at is null and status <> 'deleting';

-- The messages of engines of the last minutes with what was answered: a message that comes twice is answered the same.
create table engine_messages (
  panel_engine_id bigint not null references panel_engines on delete cascade,
  webhook_id text not null,
  body_hash bytea not null,
  -- As it was sent, to the byte.
  receipt text,
  received_at timestamptz not null,
  primary key (panel_engine_id, webhook_id)
);
create index engine_messages_by_age on engine_messages (received_at);

-- Who was let into which panel, with which rights, when and from where. Written before the engine is asked.
create table sso_grants (
  id bigint generated always as identity primary key,
  panel_id bigint not null references panels,
  client_id bigint not null references clients,
  role text not null check (role in ('owner', 'guest')),
  scopes text[] not null,
  -- Null: all domains of the panel.
  domains text[],
  ip inet,
  asked_at timestamptz not null,
  -- Null: the engine gave no link.
  expires_at timestamptz
);
create index sso_grants_by_panel on sso_grants (panel_id, asked_at);
create index sso_grants_by_client on sso_grants (client_id, asked_at);
