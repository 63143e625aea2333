-- Dearer prices that a client was written about, each once.
create table price_notices (
  client_id bigint not null references clients on delete cascade,
  -- Of a meter, or of a plan's month.
  price_id bigint references prices on delete cascade,
  plan_price_id bigint references plan_prices on delete cascade,
  noticed_at timestamptz not null default now(),
  check (num_nonnulls(price_id, plan_price_id) = 1)
);
create unique index price_notices_once on price_notices (client_id, coalesce(plan_price_id, 0), coalesce(price_id, 0));
create index price_notices_by_price on price_notices (price_id) where price_id is not null;
create index price_notices_by_plan_price on price_notices (plan_price_id) where plan_price_id is not null;

-- Shares of a plan's monthly traffic that the owner of a panel was written about, each once in a UTC month.
create table plan_traffic_notices (
  panel_id bigint not null references panels on delete cascade,
  plan_id bigint not null references plans,
  month date not null check (extract(day from month) = 1),
  percent smallint not null check (percent in (80, 100)),
  noticed_at timestamptz not null default now(),
  primary key (panel_id, plan_id, month, percent)
);
create index plan_traffic_notices_by_month on plan_traffic_notices (month, percent);
