-- Workspaces, the panels in them, and what the engines report of each panel.
create table projects (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  name varchar(16) not null check (length(btrim(name)) between 1 and 16),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, client_id)
);
create unique index projects_name_taken on projects (client_id, lower(name)) where archived_at is null;
-- The lists a person sees are theirs alone, sorted by name or by age: each comes from one index, whatever the whole table holds.
create index projects_by_name on projects (client_id, name, id) where archived_at is null;
create index projects_by_age on projects (client_id, created_at, id) where archived_at is null;
create trigger touch before update on projects for each row execute function touch();

alter table clients add foreign key (current_project_id) references projects on delete set null;

create table panel_engines (
  id bigint generated always as identity primary key,
  code text not null unique,
  name text not null,
  kind text not null check (kind in ('simulated')),
  -- Where new panels go.
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index panel_engines_one_default on panel_engines (is_default) where is_default;
create trigger touch before update on panel_engines for each row execute function touch();
insert into panel_engines (code, name, kind, is_default) values ('simulated', 'Simulated engine', 'simulated', true);

create function default_panel_engine() returns bigint language sql stable as
  'select id from panel_engines where is_default';

create table panels (
  id bigint generated always as identity primary key,
  client_id bigint not null,
  project_id bigint not null,
  panel_engine_id bigint not null default default_panel_engine() references panel_engines,
  name varchar(60) not null check (length(btrim(name)) >= 1),
  external_id text,
  status text not null default 'provisioning'
    check (status in ('provisioning', 'active', 'degraded', 'suspended', 'deleting', 'deleted', 'error')),
  region text,
  plan_code varchar(40),
  deleted_at timestamptz,
  synced_at timestamptz,
  -- When the engine is to be read again. Moved on when a reading is asked for, not when it works: an engine that is away
  -- must not keep the others from their turn.
  sync_due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (panel_engine_id, external_id),
  -- A panel is billed to the owner of its workspace, always.
  constraint panel_of_owner foreign key (project_id, client_id) references projects (id, client_id) on update cascade
);
create unique index panels_name_taken on panels (project_id, lower(name)) where deleted_at is null;
create index panels_by_project on panels (project_id, id) where deleted_at is null;
create index panels_by_name on panels (client_id, name, id) where deleted_at is null;
create index panels_by_age on panels (client_id, created_at, id) where deleted_at is null;
create index panels_by_status on panels (client_id, status, id) where deleted_at is null;
create index panels_by_due on panels (sync_due_at)
  where external_id is not null and status in ('active', 'degraded', 'suspended');
-- Readings stamp synced_at and sync_due_at; that alone does not make a panel a changed one.
create trigger touch before update on panels for each row
  when ((old.name, old.project_id, old.status, old.region, old.plan_code, old.deleted_at) is distinct from
    (new.name, new.project_id, new.status, new.region, new.plan_code, new.deleted_at))
  execute function touch();

create table panel_resources (
  id bigint generated always as identity primary key,
  panel_id bigint not null references panels,
  kind text not null check (kind in ('server', 'cluster', 'domain')),
  external_id text not null,
  name text not null,
  status text not null check (status in ('running', 'starting', 'stopped', 'degraded', 'error')),
  region text,
  -- What only one kind has: sizes of a server, nodes of a cluster, the certificate of a domain.
  spec jsonb not null default '{}',
  last_seen_at timestamptz not null,
  gone_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (panel_id, kind, external_id)
);
create index panel_resources_by_name on panel_resources (panel_id, kind, name, id) where gone_at is null;
create trigger touch before update on panel_resources for each row execute function touch();

create view servers as
select r.id, r.panel_id, p.client_id, p.project_id, r.name, r.status, r.region, r.last_seen_at, r.created_at, r.updated_at,
  r.spec ->> 'ipv4' as ipv4,
  (r.spec ->> 'vcpus')::int as vcpus,
  (r.spec ->> 'memory_gb')::float8 as memory_gb,
  (r.spec ->> 'disk_gb')::float8 as disk_gb,
  (r.spec ->> 'cpu_percent')::float8 as cpu_percent
from panel_resources r join panels p on p.id = r.panel_id and p.deleted_at is null
where r.kind = 'server' and r.gone_at is null;

create view clusters as
select r.id, r.panel_id, p.client_id, p.project_id, r.name, r.status, r.region, r.last_seen_at, r.created_at, r.updated_at,
  (r.spec ->> 'nodes')::int as nodes,
  (r.spec ->> 'nodes_ready')::int as nodes_ready,
  (r.spec ->> 'vcpus')::int as vcpus,
  (r.spec ->> 'memory_gb')::float8 as memory_gb,
  (r.spec ->> 'cpu_percent')::float8 as cpu_percent
from panel_resources r join panels p on p.id = r.panel_id and p.deleted_at is null
where r.kind = 'cluster' and r.gone_at is null;

create view domains as
select r.id, r.panel_id, p.client_id, p.project_id, r.name, r.status, r.region, r.last_seen_at, r.created_at, r.updated_at,
  (r.spec ->> 'mailboxes')::int as mailboxes,
  r.spec ->> 'tls_expires_on' as tls_expires_on
from panel_resources r join panels p on p.id = r.panel_id and p.deleted_at is null
where r.kind = 'domain' and r.gone_at is null;
