-- So many days of all that runs must be paid for before a panel or a dearer plan is added; 0: none.
alter table billing_policies add column days_ahead int not null default 3 check (days_ahead >= 0);

-- How much of a day's amount are fees of plans.
alter table usage_client_days add column fee_amount numeric(20, 6) not null default 0;
update usage_client_days d set fee_amount = f.amount
from (
  select u.client_id, u.usage_on, sum(u.rated_amount) as amount from usages u
  where u.panel_id in (select panel_id from panel_plans) and u.resource_ref like 'plan/%'
  group by u.client_id, u.usage_on
) f
where d.client_id = f.client_id and d.usage_on = f.usage_on;

create function fee_daily(p_client bigint, p_day date) returns numeric language sql stable as 'select 0::numeric';
create function plan_use_more(p_client bigint, p_currency char(3), p_panel bigint, p_plan bigint, p_days int) returns numeric
  language sql stable as 'select 0::numeric';
create function plan_use_shift(p_client bigint, p_days int, p_panel bigint default null) returns numeric
  language sql stable as 'select 0::numeric';
create function plan_more(p_panel bigint, p_plan bigint) returns numeric language sql stable as 'select 0::numeric';
create function trial_credit_waiting(p_client bigint) returns numeric language sql stable as 'select 0::numeric';
create function money_missing(p_client bigint, p_more numeric) returns numeric language sql stable as 'select 0::numeric';

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
  c.trial_ends_at, fee_daily(c.id, n.today) as fee_daily, trial_credit_waiting(c.id) as trial_credit_waiting
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
