-- Plans: what a panel is, and what that costs a month. While none is offered nothing costs anything new.
create table plans (
  id bigint generated always as identity primary key,
  -- For ever: usage names it.
  code text not null unique check (code ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  name_en varchar(60) not null check (btrim(name_en) <> ''),
  name_ro varchar(60) not null check (btrim(name_ro) <> ''),
  description_en varchar(500) not null default '',
  description_ro varchar(500) not null default '',
  kind text not null check (kind in ('web_hosting', 'server', 'cluster', 'other')),
  needs_domain boolean not null default false,
  state text not null default 'draft' check (state in ('draft', 'offered', 'retired')),
  position int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch before update on plans for each row execute function touch();

create table plan_prices (
  id bigint generated always as identity primary key,
  price_list_id bigint not null references price_lists,
  plan_id bigint not null references plans on delete cascade,
  valid daterange not null check (not isempty(valid)),
  monthly numeric(12, 2) not null check (monthly >= 0),
  created_at timestamptz not null default now(),
  constraint plan_prices_do_not_overlap exclude using gist (price_list_id with =, plan_id with =, valid with &&)
);
create index plan_prices_of_plan on plan_prices (plan_id, price_list_id);

-- A price with a plan counts for panels of that plan only. A null would escape the exclusion, so it goes in as 0.
alter table prices add column plan_id bigint references plans on delete cascade;
alter table prices drop constraint prices_do_not_overlap;
alter table prices add constraint prices_do_not_overlap exclude using gist
  (price_list_id with =, coalesce(plan_id, 0) with =, meter_id with =, resource_kind with =, valid with &&);

alter table panels add column plan_id bigint references plans;

-- Which plan a panel had when, in the time of the business clock. `charged` is false while it is suspended by a policy that
-- stops the fee.
create table panel_plans (
  id bigint generated always as identity primary key,
  panel_id bigint not null references panels,
  plan_id bigint not null references plans,
  during tstzrange not null check (not isempty(during) and lower(during) is not null and lower_inc(during) and not upper_inc(during)),
  charged boolean not null default true,
  constraint panel_plans_do_not_overlap exclude using gist (panel_id with =, during with &&)
);
create index panel_plans_in_order on panel_plans (panel_id, lower(during));

-- Meters of the portal itself, which no engine sends.
alter table meters add column by_portal boolean not null default false;
insert into meters (code, unit, by_portal) values ('plan_hours', 'h', true);

-- Of plan hours only: bit h is hour h of this UTC day, because what an hour costs depends on which one it is.
alter table usage_meter_days add column slots int;

-- Not validated: every row of before has none, and looking at them all would hold up rating.
alter table usage_lines add column plan_price_id bigint;
alter table usage_lines add constraint usage_lines_plan_price foreign key (plan_price_id) references plan_prices not valid;

-- Until when the hours of all plans are in the sums; null before the first time.
create table plan_watermark (
  only_one boolean primary key default true check (only_one),
  through timestamptz
);
insert into plan_watermark default values;

alter table billing_policies
  -- Whether a suspended panel goes on costing its fee. It counts for suspensions that begin later.
  add column suspended_fee text not null default 'stops' check (suspended_fee in ('stops', 'goes_on'));

create function plan_guard() returns trigger language plpgsql as 'begin return new; end';
create function plan_price_guard() returns trigger language plpgsql as 'begin return new; end';
create function plan_prices_arrived() returns trigger language plpgsql as 'begin return new; end';
create function plans_priced() returns trigger language plpgsql as 'begin return null; end';
create function panel_plan_follows() returns trigger language plpgsql as 'begin return null; end';
create function panel_plans_count() returns trigger language plpgsql as 'begin return null; end';

create trigger guard before update or delete on plans for each row execute function plan_guard();
create trigger guard before insert or update on plan_prices for each row execute function plan_price_guard();
create trigger prices_arrived after insert or update on plan_prices for each row execute function plan_prices_arrived();

-- What is offered is priced, or the commit is refused.
create constraint trigger priced after insert or update on plans deferrable initially deferred
  for each row execute function plans_priced();
create constraint trigger priced after insert or update or delete on plan_prices deferrable initially deferred
  for each row execute function plans_priced();
create constraint trigger priced after insert or update or delete on prices deferrable initially deferred
  for each row execute function plans_priced();
create constraint trigger priced after insert or update or delete on price_lists deferrable initially deferred
  for each row execute function plans_priced();
create constraint trigger priced after insert or update on meters deferrable initially deferred
  for each row execute function plans_priced();

-- Who writes a status cannot forget the history.
create trigger plan_begins after insert on panels for each row
  when (new.plan_id is not null) execute function panel_plan_follows();
create trigger plan_follows after update of status, plan_id on panels for each row
  when ((old.status, old.plan_id) is distinct from (new.status, new.plan_id)
    and (old.plan_id is not null or new.plan_id is not null))
  execute function panel_plan_follows();

create trigger counted_new after insert on panel_plans
  referencing new table as added for each statement execute function panel_plans_count();
create trigger counted_changed after update on panel_plans
  referencing old table as removed new table as added for each statement execute function panel_plans_count();
create trigger counted_gone after delete on panel_plans
  referencing old table as removed for each statement execute function panel_plans_count();
