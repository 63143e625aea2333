-- Usage: what engines report, what it costs, and how it is charged to the books once.
create extension if not exists btree_gist;

-- Every meter adds up: what was used in two intervals is the sum of both. Gauges are integrated by the engine (GB × hours).
create table meters (
  id smallint generated always as identity primary key,
  code text not null unique check (code ~ '^[a-z0-9_]{1,40}$'),
  unit text not null check (length(unit) between 1 and 20)
);
insert into meters (code, unit) values
  ('cpu_hours', 'vCPU·h'), ('ram_gb_hours', 'GB·h'), ('disk_gb_hours', 'GB·h'), ('traffic_gb', 'GB'),
  ('ipv4_hours', 'h'), ('backup_gb_hours', 'GB·h'), ('domain_days', 'd'), ('mailbox_days', 'd'), ('panel_hours', 'h');

create table price_lists (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  currency char(3) not null check (currency ~ '^[A-Z]{3}$'),
  -- Counts for every client of its currency, where the client's own list says nothing.
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  unique (id, currency)
);
create unique index price_lists_one_default on price_lists (currency) where is_default;

-- Tiers go up, each with a price, and the last has no end: [{"up_to": "100", "unit_price": "0.02"}, {"unit_price": "0.01"}].
create function price_tiers_sound(p_tiers jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(p_tiers) = 'array' and jsonb_array_length(p_tiers) between 1 and 20 and (
    select bool_and((t.unit_price >= 0 and t.unit_price < 10000) is true
      and case when t.place = jsonb_array_length(p_tiers) then t.up_to is null else (t.up_to > t.before) is true end)
    from (
      select place, (tier ->> 'unit_price')::numeric as unit_price, (tier ->> 'up_to')::numeric as up_to,
        coalesce(lag((tier ->> 'up_to')::numeric) over (order by place), 0) as before
      from jsonb_array_elements(p_tiers) with ordinality x (tier, place)
    ) t
  )
$$;

create table prices (
  id bigint generated always as identity primary key,
  price_list_id bigint not null references price_lists,
  meter_id smallint not null references meters,
  -- '' counts for every kind of resource that has no price of its own. Not null, which would escape the exclusion.
  resource_kind text not null default '' check (resource_kind ~ '^[a-z_]{0,20}$'),
  valid daterange not null check (not isempty(valid)),
  -- For one unit of the meter; the bound keeps every amount within what a column of money holds.
  unit_price numeric(20, 10) check (unit_price >= 0 and unit_price < 10000),
  included_per_day numeric(20, 6) not null default 0 check (included_per_day >= 0),
  tiers jsonb check (price_tiers_sound(tiers)),
  created_at timestamptz not null default now(),
  constraint prices_by_unit_or_tiers check ((unit_price is null) <> (tiers is null)),
  constraint prices_do_not_overlap exclude using gist
    (price_list_id with =, meter_id with =, resource_kind with =, valid with &&)
);
create index prices_by_meter on prices (meter_id, price_list_id);

create table client_price_lists (
  client_id bigint not null references clients on delete cascade,
  price_list_id bigint not null references price_lists,
  valid daterange not null check (not isempty(valid)),
  constraint client_price_lists_do_not_overlap exclude using gist (client_id with =, valid with &&)
);

insert into price_lists (code, currency, is_default) values ('standard', 'USD', true);
insert into prices (price_list_id, meter_id, valid, unit_price)
select l.id, m.id, '[2020-01-01,)', p.unit_price
from price_lists l, meters m
join (values ('cpu_hours', 0.0029), ('ram_gb_hours', 0.0001), ('disk_gb_hours', 0.000005), ('traffic_gb', 0.009),
  ('ipv4_hours', 0.0005), ('backup_gb_hours', 0.000003), ('domain_days', 0.004), ('mailbox_days', 0.003),
  ('panel_hours', 0.0008)) p (code, unit_price) on p.code = m.code;

-- What engines sent, each event once: the key is what makes it so. A partition for each day, because these rows are the
-- only ones here that are ever thrown away; the sums below stay.
create table usage_events (
  occurred_on date not null,
  panel_engine_id bigint not null,
  event_id text not null,
  panel_id bigint not null,
  resource_ref text not null,
  meter_id smallint not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  quantity numeric(20, 6) not null,
  received_at timestamptz not null default now(),
  primary key (occurred_on, panel_engine_id, event_id)
) partition by range (occurred_on);

-- Makes the partitions of these days that are missing. A table is made first and attached then, which does not wait for
-- those who write to the others.
create function usage_partitions(p_days date[]) returns int language plpgsql as $$
declare
  v_day date;
  v_made int := 0;
  v_name text;
begin
  foreach v_day in array p_days loop
    v_name := 'usage_events_' || to_char(v_day, 'YYYYMMDD');
    continue when to_regclass(v_name) is not null;
    perform pg_advisory_xact_lock(7067842304);
    continue when to_regclass(v_name) is not null;
    execute format('create table %I (like usage_events including defaults including constraints)', v_name);
    execute format('alter table usage_events attach partition %I for values from (%L) to (%L)', v_name, v_day, v_day + 1);
    v_made := v_made + 1;
  end loop;
  return v_made;
end $$;

-- Drops the partitions of days before this one, and what was refused before it.
create function usage_retire(p_before date) returns int language plpgsql as $$
declare
  v_name text;
  v_dropped int := 0;
begin
  for v_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_events'::regclass and c.relname < 'usage_events_' || to_char(p_before, 'YYYYMMDD')
  loop
    execute format('drop table %I', v_name);
    v_dropped := v_dropped + 1;
  end loop;
  delete from usage_rejections where last_at < p_before;
  return v_dropped;
end $$;

-- What was used on a day, added up as it comes; kept for ever. Who counts has looked panels and meters up, and `usages` holds
-- to them: to look each up again would cost more than all the rest when a day begins.
create table usage_meter_days (
  usage_on date not null,
  panel_id bigint not null,
  resource_ref text not null,
  meter_id smallint not null,
  quantity numeric(24, 6) not null,
  events bigint not null,
  -- Has changed since it was last rated.
  dirty boolean not null default true,
  -- There was no price for it when it was last rated.
  unpriced boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (usage_on, panel_id, resource_ref, meter_id)
  -- A sum is added to all day long, which costs little where the new row fits beside the old one.
) with (fillfactor = 60);
create index usage_meter_days_dirty on usage_meter_days (usage_on, panel_id, resource_ref) where dirty;
create index usage_meter_days_unpriced on usage_meter_days (meter_id, usage_on) where unpriced;

-- Counts the events of a message that were not there before, and adds them to what their days come to; answers how many
-- there were. An event stands once in a message. Messages of one engine come one after another, so that what is looked up
-- stays true until it is written: to insert what may be there already costs half as much again.
-- Plans stay for as long as a connection does: one made while a day is empty would read all of it when it is full.
create function usage_count(p_engine bigint, p_days date[], p_ids text[], p_panels bigint[], p_resources text[],
  p_meters smallint[], p_starts timestamptz[], p_ends timestamptz[], p_quantities numeric[])
returns int language plpgsql set enable_seqscan = off as $$
declare
  v_day date;
  v_there text[];
  v_new int;
  v_sum int := 0;
begin
  perform pg_advisory_xact_lock(1645, p_engine::int);
  foreach v_day in array array(select distinct d from unnest(p_days) d order by d) loop
    perform usage_partitions(array[v_day]);
    v_there := array(select event_id from usage_events
      where occurred_on = v_day and panel_engine_id = p_engine and event_id = any (p_ids));
    with inserted as (
      insert into usage_events (occurred_on, panel_engine_id, event_id, panel_id, resource_ref, meter_id, period_start,
        period_end, quantity)
      select s.day, p_engine, s.id, s.panel, s.resource, s.meter, s.starts, s.ends, s.quantity
      from unnest(p_days, p_ids, p_panels, p_resources, p_meters, p_starts, p_ends, p_quantities)
        s (day, id, panel, resource, meter, starts, ends, quantity)
      where s.day = v_day and s.id not in (select t from unnest(v_there) t)
      returning panel_id, resource_ref, meter_id, quantity
    ), added as (
      insert into usage_meter_days as d (usage_on, panel_id, resource_ref, meter_id, quantity, events)
      select v_day, panel_id, resource_ref, meter_id, sum(quantity), count(*) from inserted group by 2, 3, 4 order by 2, 3, 4
      on conflict (usage_on, panel_id, resource_ref, meter_id) do update set quantity = d.quantity + excluded.quantity,
        events = d.events + excluded.events, dirty = true, updated_at = now()
    )
    select count(*) into v_new from inserted;
    v_sum := v_sum + v_new;
  end loop;
  return v_sum;
end $$;

-- Events that were refused, for the operator: what was sent, why it was refused, how often.
create table usage_rejections (
  id bigint generated always as identity primary key,
  panel_engine_id bigint not null references panel_engines on delete cascade,
  event_id text not null,
  code text not null,
  -- As it was sent, as JSON; cut when it is long.
  event text not null,
  times int not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  unique (panel_engine_id, event_id, code)
);
create index usage_rejections_by_age on usage_rejections (last_at);

-- Up to where an engine has told all that it has to tell.
create table engine_watermarks (
  panel_engine_id bigint primary key references panel_engines on delete cascade,
  through timestamptz not null,
  updated_at timestamptz not null default now()
);

-- What one resource of a panel used on one UTC day, and what of it the books have borne. Workspace and name are those at
-- the first rating: moving a panel does not rewrite what was.
create table usages (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  project_id bigint not null references projects,
  panel_id bigint not null references panels,
  -- As the engine calls it: `server/104`; `panel` is the panel itself.
  resource_ref text not null,
  resource_id bigint references panel_resources,
  resource_name text,
  usage_on date not null,
  currency char(3) not null,
  rated_amount numeric(20, 6) not null default 0,
  charged_amount numeric(20, 6) not null default 0,
  status text not null default 'open' check (status in ('open', 'charged', 'billed', 'paid')),
  -- One of its meters has no price.
  unpriced boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (panel_id, usage_on, resource_ref)
) with (fillfactor = 80);
create index usages_by_day on usages (client_id, usage_on, id);
create index usages_of_project on usages (project_id, usage_on, id);
create index usages_of_resource on usages (client_id, resource_ref, usage_on, id);
create index usages_by_amount on usages (client_id, rated_amount, id);
create index usages_by_age on usages (client_id, created_at, id);
create index usages_unpriced on usages (client_id, usage_on) where unpriced;
create trigger touch before update on usages for each row
  when (old.rated_amount <> new.rated_amount or old.charged_amount <> new.charged_amount or old.status <> new.status)
  execute function touch();

create table usage_lines (
  usage_id bigint not null references usages on delete cascade,
  meter_id smallint not null references meters,
  quantity numeric(24, 6) not null,
  -- Null: by tiers, or not known.
  unit_price numeric(20, 10),
  -- Null: there is no price.
  amount numeric(20, 6),
  price_id bigint references prices,
  primary key (usage_id, meter_id)
);

-- Sums of the rows above, kept with them: totals of a list and charts are read from these, however many rows there are.
create table usage_panel_days (
  client_id bigint not null,
  usage_on date not null,
  panel_id bigint not null,
  project_id bigint not null,
  usages int not null default 0,
  unpriced int not null default 0,
  rated_amount numeric(20, 6) not null default 0,
  charged_amount numeric(20, 6) not null default 0,
  primary key (client_id, usage_on, panel_id, project_id)
);
create index usage_panel_days_of_panel on usage_panel_days (panel_id, usage_on);
create index usage_panel_days_of_project on usage_panel_days (project_id, usage_on);

-- Who rates or charges the usage of a client on a day holds this row first, so that neither reads what the other changes.
create table usage_client_days (
  client_id bigint not null,
  usage_on date not null,
  usages int not null default 0,
  unpriced int not null default 0,
  rated_amount numeric(20, 6) not null default 0,
  charged_amount numeric(20, 6) not null default 0,
  -- Something of it is not charged yet, or was changed after it was.
  due boolean not null default false,
  primary key (client_id, usage_on)
) with (fillfactor = 80);
create index usage_client_days_due on usage_client_days (usage_on, client_id) where due;

create table usage_notes (
  id bigint generated always as identity primary key,
  usage_id bigint not null references usages on delete cascade,
  client_id bigint not null references clients,
  usage_on date not null,
  kind text not null check (kind in ('price_change', 'late_data', 'correction', 'credit', 'estimate', 'staff')),
  note_en text not null,
  note_ro text not null,
  author_admin_id bigint references admins,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index usage_notes_of_usage on usage_notes (usage_id, id);
create index usage_notes_by_day on usage_notes (client_id, usage_on, id);
create index usage_notes_by_age on usage_notes (client_id, created_at, id);

-- A row for each posting of a client's day; the key is what charges it once.
create table usage_charges (
  client_id bigint not null references clients on delete cascade,
  usage_on date not null,
  seq int not null,
  transaction_id bigint not null unique references ledger_transactions,
  amount numeric(20, 6) not null,
  -- What of it came from credit; below zero it went back there.
  from_credit numeric(20, 6) not null,
  primary key (client_id, usage_on, seq)
);
-- The same by workspace.
create table usage_charge_projects (
  client_id bigint not null,
  usage_on date not null,
  seq int not null,
  project_id bigint not null references projects,
  amount numeric(20, 6) not null,
  primary key (client_id, usage_on, seq, project_id),
  foreign key (client_id, usage_on, seq) references usage_charges on delete cascade
);

-- What happened to the balance, for people: a row for each transaction, and one for the use of a month and workspace,
-- which grows. It follows from the books.
create table billing_logs (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  period char(7) not null,
  description_key text not null,
  params jsonb not null default '{}',
  -- The last UTC day that something in it counts for.
  date date not null,
  kind text not null
    check (kind in ('deposit', 'usage', 'promo', 'refund', 'adjustment', 'service_bill', 'write_off')),
  -- What it did to balance and credit together.
  net numeric(20, 6) not null,
  deposit numeric(20, 6) generated always as (case when net > 0 then net end) stored,
  payment numeric(20, 6) generated always as (case when net < 0 then -net end) stored,
  project_id bigint references projects,
  ledger_transaction_id bigint unique references ledger_transactions,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint billing_logs_of_a_kind check ((kind = 'usage') = (ledger_transaction_id is null)
    and (kind = 'usage') = (project_id is not null))
);
create unique index billing_logs_of_usage on billing_logs (client_id, period, project_id) where kind = 'usage';
create index billing_logs_by_date on billing_logs (client_id, date, id) include (net);
create index billing_logs_by_age on billing_logs (client_id, created_at, id);
create trigger touch before update on billing_logs for each row execute function touch();

-- What a person calls it that the books call otherwise.
create function billing_log_kind(p_kind text) returns text language sql immutable as $$
  select case
    when p_kind in ('deposit', 'refund', 'write_off', 'usage') then p_kind
    when p_kind in ('promo', 'promo_expiry', 'goodwill') then 'promo'
    when p_kind in ('service_bill', 'bill_payment') then 'service_bill'
    else 'adjustment' end
$$;

-- The log as it follows from the books.
create view billing_logs_by_the_books as
select t.client_id, to_char(t.effective_on, 'YYYY-MM')::char(7) as period, t.kind as description_key,
  t.effective_on as date, billing_log_kind(t.kind) as kind, sum(e.amount) as net, null::bigint as project_id,
  t.id as ledger_transaction_id
from ledger_transactions t
join ledger_entries e on e.transaction_id = t.id
join ledger_accounts a on a.id = e.account_id and a.kind in ('client_balance', 'client_credit')
where t.kind <> 'usage'
group by t.id
union all
select p.client_id, to_char(t.effective_on, 'YYYY-MM')::char(7), 'usage', max(t.effective_on), 'usage', -sum(p.amount),
  p.project_id, null
from usage_charge_projects p
join usage_charges c using (client_id, usage_on, seq)
join ledger_transactions t on t.id = c.transaction_id
group by p.client_id, to_char(t.effective_on, 'YYYY-MM'), p.project_id;

-- Where the log says anything else than the books do; nothing, unless somebody wrote it by hand.
create view billing_log_differences as
with kept as (
  select client_id, period, description_key, date, kind, net, project_id, ledger_transaction_id from billing_logs
), books as (
  select client_id, period, description_key, date, kind, net, project_id, ledger_transaction_id from billing_logs_by_the_books
)
select 'missing' as what, d.* from (select * from books except all select * from kept) d
union all
select 'extra', d.* from (select * from kept except all select * from books) d;

create function billing_log_follow() returns trigger language plpgsql as $$
begin
  insert into billing_logs (client_id, period, description_key, date, kind, net, ledger_transaction_id)
    select t.client_id, to_char(t.effective_on, 'YYYY-MM'), t.kind, t.effective_on, billing_log_kind(t.kind),
      sum(e.amount), t.id
    from added e
    join ledger_transactions t on t.id = e.transaction_id and t.kind <> 'usage'
    join ledger_accounts a on a.id = e.account_id and a.kind in ('client_balance', 'client_credit')
    group by t.id
  on conflict (ledger_transaction_id) do update set net = billing_logs.net + excluded.net;
  return null;
end $$;
create trigger log after insert on ledger_entries referencing new table as added
  for each statement execute function billing_log_follow();
insert into billing_logs (client_id, period, description_key, date, kind, net, project_id, ledger_transaction_id)
  select * from billing_logs_by_the_books order by ledger_transaction_id;

-- With what was held after each row. A reader's rows are one client's, and few.
create view billing_log_rows as
select b.*, p.name as project_name,
  sum(b.net) over (partition by b.client_id order by b.date, b.id) as balance_after
from billing_logs b
left join projects p on p.id = b.project_id;

-- What a quantity costs by tiers: each unit at the price of the tier that it falls into.
create function usage_tiers_amount(p_quantity numeric, p_tiers jsonb) returns numeric language sql immutable as $$
  select sum(greatest(least(p_quantity, coalesce(up_to, 'infinity')) - low, 0) * unit_price)
  from (
    select (tier ->> 'unit_price')::numeric as unit_price, (tier ->> 'up_to')::numeric as up_to,
      coalesce(lag((tier ->> 'up_to')::numeric) over (order by place), 0) as low
    from jsonb_array_elements(p_tiers) with ordinality x (tier, place)
  ) t
$$;

-- What a quantity costs: what is included in a day is free, the rest has one price or goes through the tiers; half a
-- millionth is rounded up. Never below zero: a correction takes back at most what there was. Without a query of its own it
-- becomes a part of the one that calls it.
create function usage_amount(p_quantity numeric, p_included numeric, p_unit_price numeric, p_tiers jsonb)
returns numeric language sql immutable as $$
  select round(case when p_tiers is null then greatest(p_quantity - p_included, 0) * p_unit_price
    else usage_tiers_amount(greatest(p_quantity - p_included, 0), p_tiers) end, 6)
$$;

-- The price that counts for a client on a day: of the client's own list before the default one, and of this kind of
-- resource before any kind. No row: there is none.
create function usage_price(p_client bigint, p_currency char(3), p_meter smallint, p_kind text, p_day date)
returns table (id bigint, unit_price numeric, included_per_day numeric, tiers jsonb) language sql stable as $$
  select p.id, p.unit_price, p.included_per_day, p.tiers
  from prices p
  join price_lists l on l.id = p.price_list_id and l.currency = p_currency
  left join client_price_lists c on c.price_list_id = l.id and c.client_id = p_client and c.valid @> p_day
  where p.meter_id = p_meter and p.resource_kind in ('', p_kind) and p.valid @> p_day
    and (l.is_default or c.client_id is not null)
  order by c.client_id is null, p.resource_kind = ''
  limit 1
$$;

-- A price that comes late finds what waited for it, also what is being rated without it.
create function prices_arrived() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7067842305);
  update usage_meter_days set dirty = true
    where unpriced and not dirty and meter_id = new.meter_id and new.valid @> usage_on;
  return null;
end $$;
create trigger arrived after insert or update on prices for each row execute function prices_arrived();

-- Rates what has changed, up to so many sums and all of a resource's day, and answers how many there were, how many of them
-- have no price, and after which day, panel and resource to go on. One at a time: others wait, and find what is left. Those who count
-- events do not wait: a sum that they change meanwhile is rated as it was, and stays to be rated.
create function usage_rate(p_limit int, p_after_day date default '-infinity', p_after_panel bigint default 0,
  p_after_resource text default '')
returns table (rated int, unpriced int, last_day date, last_panel bigint, last_resource text) language plpgsql
-- Planned anew each time, for as many rows as there are: any one plan would be far off for few or for many.
set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_claimed usage_meter_days[];
  v_priced usage_meter_days[];
  v_unpriced usage_meter_days[];
  v_first_new bigint;
begin
  perform pg_advisory_xact_lock(7067842305);
  v_claimed := array(
    select d from usage_meter_days d
    where d.dirty and (d.usage_on, d.panel_id, d.resource_ref) > (p_after_day, p_after_panel, p_after_resource)
    order by d.usage_on, d.panel_id, d.resource_ref fetch first p_limit rows with ties
  );
  if cardinality(v_claimed) = 0 then
    return query select 0, 0, p_after_day, p_after_panel, p_after_resource;
    return;
  end if;

  insert into usage_client_days (client_id, usage_on)
    select distinct p.client_id, d.usage_on from unnest(v_claimed) d join panels p on p.id = d.panel_id
    order by 1, 2
    on conflict do nothing;
  perform 1 from usage_client_days g
    where (g.client_id, g.usage_on) in
      (select p.client_id, d.usage_on from unnest(v_claimed) d join panels p on p.id = d.panel_id)
    order by g.client_id, g.usage_on for update;

  with made as (
    insert into usages (client_id, project_id, panel_id, resource_ref, resource_id, resource_name, usage_on, currency)
    select p.client_id, p.project_id, p.id, d.resource_ref, r.id,
      coalesce(r.name, case when d.resource_ref = 'panel' then p.name end), d.usage_on, cur.code
    from (select distinct x.panel_id, x.usage_on, x.resource_ref from unnest(v_claimed) x) d
    join panels p on p.id = d.panel_id
    join clients c on c.id = p.client_id
    join currencies cur on cur.id = c.currency_id
    left join panel_resources r on r.panel_id = d.panel_id and r.kind = split_part(d.resource_ref, '/', 1)
      and r.external_id = split_part(d.resource_ref, '/', 2)
    where not exists (select from usages u
      where u.panel_id = d.panel_id and u.usage_on = d.usage_on and u.resource_ref = d.resource_ref)
    returning id
  )
  select min(made.id) into v_first_new from made;

  with used as (
    select u.*, row_number() over (partition by client_id, currency, usage_on, meter_id, kind) as place
    from (
      select u.id as usage_id, u.client_id, u.usage_on, u.currency, d as claimed, d.meter_id, d.quantity,
        split_part(d.resource_ref, '/', 1) as kind
      from unnest(v_claimed) d
      join usages u on u.panel_id = d.panel_id and u.usage_on = d.usage_on and u.resource_ref = d.resource_ref
    ) u
  ), found as (
    -- The price is looked up once for all that has the same one; a join of both would depend on how many are expected.
    select u.*, first_value(p.id) over same as price_id, first_value(p.unit_price) over same as unit_price,
      first_value(p.included_per_day) over same as included_per_day, first_value(p.tiers) over same as tiers
    from used u
    left join lateral (
      select f.id, f.unit_price, f.included_per_day, f.tiers
      from usage_price(u.client_id, u.currency, case when u.place = 1 then u.meter_id end, u.kind, u.usage_on) f
    ) p on true
    window same as (partition by client_id, currency, usage_on, meter_id, kind order by place)
  ), costed as materialized (
    select f.*, usage_amount(quantity, included_per_day, unit_price, tiers) as amount from found f
  ), priced as materialized (
    select c.usage_id, c.client_id, c.usage_on, c.currency, c.claimed, c.meter_id, c.quantity, x.*
    from costed c
    left join lateral (select c.price_id, c.unit_price, c.amount) x on c.amount < 1e12
  ), noted as (
    insert into usage_notes (usage_id, client_id, usage_on, kind, note_en, note_ro)
    select n.usage_id, n.client_id, n.usage_on, 'price_change',
      format('Another price counts for %s: %s instead of %s %s.', m.code, n.amount, l.amount, n.currency),
      format('Se aplică alt preț pentru %s: %s în loc de %s %s.', m.code, n.amount, l.amount, n.currency)
    from priced n
    join usage_lines l on l.usage_id = n.usage_id and l.meter_id = n.meter_id and l.price_id <> n.price_id
    join meters m on m.id = n.meter_id
  ), lines as (
    insert into usage_lines (usage_id, meter_id, quantity, unit_price, amount, price_id)
    select usage_id, meter_id, quantity, unit_price, amount, price_id from priced
    on conflict (usage_id, meter_id) do update set quantity = excluded.quantity, unit_price = excluded.unit_price,
      amount = excluded.amount, price_id = excluded.price_id
  )
  select array_agg(claimed) filter (where amount is null), array_agg(claimed) filter (where amount is not null)
    into v_unpriced, v_priced from priced;

  with touched as (
    select distinct u.id from unnest(v_claimed) d
    join usages u on u.panel_id = d.panel_id and u.usage_on = d.usage_on and u.resource_ref = d.resource_ref
  ), summed as (
    select t.id, coalesce(sum(l.amount), 0) as rated_amount, bool_or(l.amount is null) as unpriced
    from touched t join usage_lines l on l.usage_id = t.id group by t.id
  ), changed as (
    update usages u set rated_amount = s.rated_amount, unpriced = s.unpriced,
      status = case when s.rated_amount <> u.charged_amount and u.status = 'charged' then 'open' else u.status end
    from summed s join usages o on o.id = s.id
    where u.id = s.id
    returning u.client_id, u.usage_on, u.panel_id, u.project_id, u.id, u.rated_amount - o.rated_amount as more,
      u.unpriced::int - o.unpriced::int as more_unpriced
  ), counted as (
    select c.client_id, c.usage_on, c.panel_id, c.project_id, count(*) filter (where c.id >= v_first_new) as usages,
      sum(c.more) as more, sum(c.more_unpriced) as more_unpriced, coalesce(bool_or(c.more <> 0 or c.id >= v_first_new), false) as due
    from changed c
    group by c.client_id, c.usage_on, c.panel_id, c.project_id
  ), by_panel as (
    insert into usage_panel_days as d (client_id, usage_on, panel_id, project_id, usages, unpriced, rated_amount)
    select client_id, usage_on, panel_id, project_id, usages, more_unpriced, more from counted
    on conflict (client_id, usage_on, panel_id, project_id) do update set usages = d.usages + excluded.usages,
      unpriced = d.unpriced + excluded.unpriced, rated_amount = d.rated_amount + excluded.rated_amount
  )
  update usage_client_days d set usages = d.usages + c.usages, unpriced = d.unpriced + c.more_unpriced,
    rated_amount = d.rated_amount + c.more, due = d.due or c.due
  from (
    select client_id, usage_on, sum(usages) as usages, sum(more) as more, sum(more_unpriced) as more_unpriced,
      bool_or(due) as due
    from counted group by client_id, usage_on
  ) c
  where d.client_id = c.client_id and d.usage_on = c.usage_on;

  -- Last, so that those who count wait for no more than this; what they hold has just changed.
  with same as (
    select d.usage_on, d.panel_id, d.resource_ref, d.meter_id, c.without
    from (select x.*, false as without from unnest(v_priced) x union all select x.*, true from unnest(v_unpriced) x) c
    join usage_meter_days d on d.usage_on = c.usage_on and d.panel_id = c.panel_id and d.resource_ref = c.resource_ref
      and d.meter_id = c.meter_id and d.quantity = c.quantity and d.events = c.events
    for no key update of d skip locked
  )
  update usage_meter_days d set dirty = false, unpriced = s.without
  from same s
  where d.usage_on = s.usage_on and d.panel_id = s.panel_id and d.resource_ref = s.resource_ref and d.meter_id = s.meter_id;
  return query select cardinality(v_claimed), coalesce(cardinality(v_unpriced), 0), c.usage_on, c.panel_id, c.resource_ref
    from (select (v_claimed[cardinality(v_claimed)]).*) c;
end $$;

-- Has the usage of these days rated anew, when staff changed a price that had counted already.
create function usage_rerate(p_from date, p_to date) returns bigint language plpgsql as $$
declare
  v_marked bigint;
begin
  perform pg_advisory_xact_lock(7067842305);
  update usage_meter_days set dirty = true where usage_on between p_from and p_to and not dirty;
  get diagnostics v_marked = row_count;
  return v_marked;
end $$;

-- Charges what a client's day costs and has not been charged for, once, however often and from however many places it is
-- asked for; answers the amount. Credit is spent first, and what is taken back returns to it first, up to what the day
-- took. Late data are a posting of their own, on the day that it comes to the books.
-- Plans stay for as long as a connection does: one made while a table is empty would read all of it when it is full.
create function charge_client_day(p_client bigint, p_day date) returns numeric language plpgsql
set enable_seqscan = off as $$
declare
  v_day usage_client_days;
  v_currency char(3);
  v_held numeric;
  v_taken numeric;
  v_seq int;
  v_on date;
  v_amount numeric;
  v_projects jsonb;
  v_from_credit numeric;
  v_transaction bigint;
begin
  select * into v_day from usage_client_days where client_id = p_client and usage_on = p_day for update;
  if not found or not v_day.due then return 0; end if;
  -- In the order in which ledger_post locks them.
  perform 1 from ledger_accounts where client_id = p_client order by id for no key update;
  select currency, balance into strict v_currency, v_held from ledger_accounts
    where client_id = p_client and kind = 'client_credit';
  select coalesce(max(seq), 0) + 1, coalesce(sum(from_credit), 0) into v_seq, v_taken from usage_charges
    where client_id = p_client and usage_on = p_day;

  with changed as (
    update usages u set charged_amount = u.rated_amount, status = case u.status when 'open' then 'charged' else u.status end
    from usages o
    where o.id = u.id and u.client_id = p_client and u.usage_on = p_day
      and (u.rated_amount <> u.charged_amount or u.status = 'open')
    returning u.id, u.panel_id, u.project_id, u.rated_amount - o.charged_amount as more
  ), by_panel as (
    update usage_panel_days d set charged_amount = d.charged_amount + c.more
    from (select panel_id, project_id, sum(more) as more from changed group by panel_id, project_id) c
    where d.client_id = p_client and d.usage_on = p_day and d.panel_id = c.panel_id and d.project_id = c.project_id
  ), noted as (
    insert into usage_notes (usage_id, client_id, usage_on, kind, note_en, note_ro)
    select id, p_client, p_day, case when more > 0 then 'late_data' else 'correction' end,
      case when more > 0 then format('%s %s more by data that came after the day was charged.', more, v_currency)
        else format('%s %s less by data that came after the day was charged.', -more, v_currency) end,
      case when more > 0 then format('Cu %s %s mai mult, din date sosite după ce ziua a fost taxată.', more, v_currency)
        else format('Cu %s %s mai puțin, din date sosite după ce ziua a fost taxată.', -more, v_currency) end
    from changed where v_seq > 1 and more <> 0
  )
  select sum(c.more), jsonb_object_agg(c.project_id, c.more) filter (where c.more <> 0) into v_amount, v_projects
    from (select project_id, sum(more) as more from changed group by project_id) c;
  update usage_client_days set charged_amount = charged_amount + coalesce(v_amount, 0), due = false
    where client_id = p_client and usage_on = p_day;
  if coalesce(v_amount, 0) = 0 then return 0; end if;

  v_on := case when v_seq = 1 then p_day else clock_today() end;
  v_from_credit := case when v_amount > 0 then least(v_held, v_amount) else greatest(v_amount, -v_taken) end;
  select p.id into strict v_transaction from ledger_post(format('usage:%s:%s:%s', p_client, p_day, v_seq), 'usage', p_client,
    v_currency, v_on, (
      select jsonb_agg(jsonb_build_object('account', e.account, 'amount', e.amount::text))
      from (values (format('client:%s:credit', p_client), -v_from_credit),
        (format('client:%s:balance', p_client), v_from_credit - v_amount),
        ('revenue:usage:' || v_currency, v_amount)) e (account, amount)
      where e.amount <> 0
    ), 'usage') p;
  insert into usage_charges (client_id, usage_on, seq, transaction_id, amount, from_credit)
    values (p_client, p_day, v_seq, v_transaction, v_amount, v_from_credit);
  insert into usage_charge_projects (client_id, usage_on, seq, project_id, amount)
    select p_client, p_day, v_seq, key::bigint, value::numeric from jsonb_each_text(v_projects);
  insert into billing_logs as b (client_id, period, description_key, date, kind, net, project_id)
    select p_client, to_char(v_on, 'YYYY-MM'), 'usage', v_on, 'usage', -value::numeric, key::bigint
    from jsonb_each_text(v_projects) order by key
  on conflict (client_id, period, project_id) where kind = 'usage' do update set net = b.net + excluded.net,
    date = greatest(b.date, excluded.date);
  return v_amount;
end $$;

-- Charges a day of up to so many clients after the given one who are not at work elsewhere: those of whom the engines have
-- told all, or everyone. Answers whom.
create function charge_day(p_day date, p_after bigint, p_limit int, p_everyone boolean)
returns table (client_id bigint, amount numeric) language plpgsql as $$
#variable_conflict use_column
declare
  v_client bigint;
begin
  for v_client in
    select d.client_id from usage_client_days d
    where d.usage_on = p_day and d.due and d.client_id > p_after
      and (p_everyone or not exists (
        select from usage_panel_days x
        join panels p on p.id = x.panel_id
        left join engine_watermarks w on w.panel_engine_id = p.panel_engine_id
        where x.client_id = d.client_id and x.usage_on = d.usage_on
          and (w.through is null or w.through < (p_day + 1)::timestamp at time zone 'utc')))
    order by d.client_id limit p_limit for update skip locked
  loop
    return query select v_client, charge_client_day(v_client, p_day);
  end loop;
end $$;

-- Enough to begin with; a job goes on from here, and what comes late makes its own.
select usage_partitions(array_agg(d::date)) from generate_series(clock_today() - 35, clock_today() + 7, '1 day') d;
