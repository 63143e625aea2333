-- The amounts of the operator's rules, a row for each currency. Those in billing_policies are read by older versions only.
create table currency_policies (
  currency_id bigint primary key references currencies,
  -- The order in which currencies are offered to somebody whose own is not.
  position int not null,
  trial_credit numeric(14, 2) not null check (trial_credit >= 0),
  -- Warned below this sum of balance and credit, and suspended when more than the limit is owed.
  warn_below numeric(14, 2) not null check (warn_below <= 0),
  credit_limit numeric(14, 2) not null check (credit_limit >= 0),
  deposit_least numeric(14, 2) not null check (deposit_least > 0),
  deposit_most numeric(14, 2) not null,
  -- One click each where a sum is asked for.
  quick_amounts numeric(14, 2)[] not null,
  -- Of automatic payment: the least, and what its form proposes.
  threshold_least numeric(14, 2) not null check (threshold_least > 0),
  threshold_usual numeric(14, 2) not null,
  recharge_least numeric(14, 2) not null check (recharge_least > 0),
  recharge_usual numeric(14, 2) not null,
  cap_most numeric(14, 2) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint currency_policies_limit check (-credit_limit <= warn_below),
  constraint currency_policies_deposit check (deposit_least <= deposit_most),
  constraint currency_policies_quick check (deposit_least <= all (quick_amounts) and deposit_most >= all (quick_amounts)),
  constraint currency_policies_threshold check (threshold_usual between threshold_least and deposit_most),
  constraint currency_policies_recharge
    check (recharge_usual between recharge_least and deposit_most and recharge_least <= cap_most)
);
create trigger touch before update on currency_policies for each row execute function touch();

-- Dollars as they were, a leu a fifth of that, every other currency as dollars.
insert into currency_policies (currency_id, position, trial_credit, warn_below, credit_limit, deposit_least, deposit_most,
  quick_amounts, threshold_least, threshold_usual, recharge_least, recharge_usual, cap_most)
select c.id, c.id, x.times * p.trial_credit, x.times * p.warn_below, x.times * p.credit_limit, x.times * 5, x.times * 10000,
  array[x.times * 20, x.times * 50, x.times * 100, x.times * 200], x.times * 5, x.times * 15, x.times * 10, x.times * 50,
  x.times * 100000
from currencies c, billing_policies p, lateral (select case c.code when 'RON' then 5 else 1 end as times) x;

alter table clients add constraint clients_currency_policy foreign key (currency_id) references currency_policies (currency_id);

create function policies_in(p_currency bigint) returns billing_policies language sql stable as 'select p from billing_policies p';

-- An amount that is changed here would count for nobody.
create function policy_amounts_moved() returns trigger language plpgsql as 'begin return new; end';
create trigger amounts_moved before update on billing_policies for each row
  when ((old.trial_credit, old.warn_below, old.credit_limit) is distinct from (new.trial_credit, new.warn_below, new.credit_limit))
  execute function policy_amounts_moved();

-- The least amounts depend on the currency of the client, so a trigger keeps them, at the commit: the API refuses before.
create function automatic_amounts() returns trigger language plpgsql as 'begin return null; end';
create constraint trigger amounts after insert or update of threshold_amount, recharge_amount, monthly_cap
  on automated_billing_rules deferrable initially deferred for each row execute function automatic_amounts();
alter table automated_billing_rules drop constraint rules_threshold, drop constraint rules_recharge;

create or replace view billing_profiles as
select c.id, c.id as client_id, n.today as as_of, cur.code as currency,
  b.account_balance, b.credit_balance, k.uncharged_today, k.available,
  d.amount as daily_use, d.basis_days as daily_use_basis_days, x.exhaustion_date,
  greatest(n.today - b.negative_since, 0) as negative_days,
  p.credit_limit, c.billing_status,
  jsonb_build_object(
    'show', k.held < p.warn_below or coalesce(n.today - b.negative_since, 0) >= p.warn_days or c.billing_status = 5,
    'reason', case
      when c.billing_status = 5 then 'suspended'
      when k.held < p.warn_below then 'balance'
      when n.today - b.negative_since >= p.warn_days then 'days'
    end,
    'amount_due', round(greatest(-k.held, 0), 6),
    'suspend_on', (select e ->> 'on' from jsonb_array_elements(t.timeline) e where e ->> 'step' = 'suspended')
  ) as banner,
  t.timeline as policy_timeline,
  coalesce(
    e.address1 is not null and e.city is not null and e.zip_code is not null and e.country_id is not null
      and (e.account_type <> 1 or e.company_name is not null),
    false
  ) as billing_complete,
  c.trial_ends_at
from clients c
join currencies cur on cur.id = c.currency_id
join account_balances b on b.client_id = c.id
left join client_entities e on e.client_id = c.id
cross join lateral policies_in(c.currency_id) p
cross join lateral (select clock_now() as moment, clock_today() as today) n
cross join lateral daily_use(c.id, n.moment) d
cross join lateral (
  select u as uncharged_today, b.account_balance + b.credit_balance - u as available,
    b.account_balance + b.credit_balance as held
  from uncharged_use(c.id, n.today) u
) k
cross join lateral (
  select exhaustion_date(k.available, d.amount, n.today, coalesce(array_agg(g.expires_on), '{}'),
    coalesce(array_agg(g.remaining), '{}')) as exhaustion_date
  from ending_credit(c.id) g
) x
cross join lateral (
  select dunning_timeline(p, n.today, k.held, k.available, d.amount, b.negative_since, x.exhaustion_date,
    c.dunning_hold_until, c.suspended_on,
    case when c.trial_ended_on is null then (c.trial_ends_at at time zone 'utc')::date end) as timeline
) t;
