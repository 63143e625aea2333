-- expand
-- What engines of contract 1.1 say of panels and of what is in them.
alter table panels add column engine_reasons jsonb not null default '[]';
alter table panel_resources add column reasons jsonb not null default '[]';

create or replace view servers as
select r.id, r.panel_id, p.client_id, p.project_id, r.name, r.status, r.region, r.last_seen_at, r.created_at, r.updated_at,
  r.spec ->> 'ipv4' as ipv4,
  (r.spec ->> 'vcpus')::int as vcpus,
  (r.spec ->> 'memory_gb')::float8 as memory_gb,
  (r.spec ->> 'disk_gb')::float8 as disk_gb,
  (r.spec ->> 'cpu_percent')::float8 as cpu_percent,
  r.spec ->> 'ipv6' as ipv6,
  coalesce(r.spec -> 'addresses', '[]') as addresses,
  (r.spec ->> 'memory_used_gb')::float8 as memory_used_gb,
  (r.spec ->> 'disk_used_gb')::float8 as disk_used_gb,
  (r.spec ->> 'up_since')::timestamptz as up_since,
  coalesce(r.spec -> 'power', '[]') as power,
  -- The words of the engine are for staff, who do not read what is in a panel.
  (select coalesce(jsonb_agg(jsonb_build_object('code', x ->> 'code', 'since', x ->> 'since')), '[]')
    from jsonb_array_elements(r.reasons) x) as reasons
from panel_resources r join panels p on p.id = r.panel_id and p.deleted_at is null
where r.kind = 'server' and r.gone_at is null;

create or replace view clusters as
select r.id, r.panel_id, p.client_id, p.project_id, r.name, r.status, r.region, r.last_seen_at, r.created_at, r.updated_at,
  (r.spec ->> 'nodes')::int as nodes,
  (r.spec ->> 'nodes_ready')::int as nodes_ready,
  (r.spec ->> 'vcpus')::int as vcpus,
  (r.spec ->> 'memory_gb')::float8 as memory_gb,
  (r.spec ->> 'cpu_percent')::float8 as cpu_percent,
  (select coalesce(jsonb_agg(jsonb_build_object('code', x ->> 'code', 'since', x ->> 'since')), '[]')
    from jsonb_array_elements(r.reasons) x) as reasons
from panel_resources r join panels p on p.id = r.panel_id and p.deleted_at is null
where r.kind = 'cluster' and r.gone_at is null;

create or replace view domains as
select r.id, r.panel_id, p.client_id, p.project_id, r.name, r.status, r.region, r.last_seen_at, r.created_at, r.updated_at,
  (r.spec ->> 'mailboxes')::int as mailboxes,
  r.spec ->> 'tls_expires_on' as tls_expires_on,
  nullif(r.spec -> 'certificate', 'null') as certificate,
  nullif(r.spec -> 'dns', 'null') as dns,
  (select coalesce(jsonb_agg(jsonb_build_object('code', x ->> 'code', 'since', x ->> 'since')), '[]')
    from jsonb_array_elements(r.reasons) x) as reasons
from panel_resources r join panels p on p.id = r.panel_id and p.deleted_at is null
where r.kind = 'domain' and r.gone_at is null;
