-- What `npm run plans` keeps beside prices: limits, engines, how long before it a dearer price is announced, and its log.
-- What has no row here has no limit.
create table plan_limits (
  plan_id bigint not null references plans on delete cascade,
  what text not null
    check (what in ('servers', 'clusters', 'domains', 'mailboxes', 'disk_gb', 'traffic_gb_month')),
  amount int not null check (amount >= 0),
  primary key (plan_id, what)
);

-- Which engines carry a plan, under which name and where.
create table plan_engines (
  plan_id bigint not null references plans on delete cascade,
  panel_engine_id bigint not null references panel_engines,
  engine_plan varchar(40) not null check (btrim(engine_plan) <> ''),
  regions text[] not null default '{}',
  primary key (plan_id, panel_engine_id)
);

alter table billing_policies add column price_notice_days int not null default 30 check (price_notice_days >= 0);

-- What `npm run plans` changed, row by row.
create table plan_changes (
  id bigint generated always as identity primary key,
  changed_at timestamptz not null default now(),
  about text not null,
  was jsonb,
  becomes jsonb
);

create function plan_limit_guard() returns trigger language plpgsql as 'begin return new; end';
create trigger guard before insert or update or delete on plan_limits for each row execute function plan_limit_guard();
