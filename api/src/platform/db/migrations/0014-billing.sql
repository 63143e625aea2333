-- What follows from a balance: how long it lasts, what is told about it and when, and when panels stop.

-- The operator's rules, one row. The timeline that a client sees and the job that acts read the same.
create table billing_policies (
  only_one boolean primary key default true check (only_one),
  -- A letter when the balance lasts at most so many days.
  low_days int[] not null default '{7,3}' check (cardinality(low_days) > 0 and 0 <= all (low_days)),
  -- A letter so many days after the balance went below zero; the account is warned later than that.
  negative_days int[] not null default '{0,3,7}' check (0 <= all (negative_days)),
  warned_letter_days int[] not null default '{15,18,20}' check (0 <= all (warned_letter_days)),
  -- Warned from this day on, or below this sum of balance and credit.
  warn_days int not null default 15 check (warn_days >= 0),
  warn_below numeric(14, 2) not null default -3 check (warn_below <= 0),
  -- Suspended from this day on, or when more than this is owed.
  suspend_days int not null default 21,
  credit_limit numeric(14, 2) not null default 50 check (credit_limit >= 0),
  -- Ended so many days after that, by a person.
  terminate_days int not null default 45 check (terminate_days > 0),
  trial_days int not null default 14 check (trial_days > 0),
  trial_credit numeric(14, 2) not null default 20 check (trial_credit >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint billing_policies_in_order check (suspend_days > warn_days and -credit_limit <= warn_below)
);
insert into billing_policies default values;
create trigger touch before update on billing_policies for each row execute function touch();

alter table clients
  -- Nothing is suspended until this UTC day is over: staff said so, or payment was promised.
  add column dunning_hold_until date,
  -- The UTC days since which the balance lasts for few days only, and the panels stand still.
  add column low_since date,
  add column suspended_on date,
  -- The trial is over since then: its time or its credit ran out, or something was paid.
  add column trial_ended_on date;

-- What was told or done, once for each time that the balance ran low or below zero.
create table dunning_steps (
  client_id bigint not null references clients on delete cascade,
  -- The UTC day on which it began.
  began_on date not null,
  step text not null,
  done_on date not null,
  primary key (client_id, began_on, step)
);

create table client_features (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  feature text not null
    check (feature in ('trial', 'clusters', 'domains', 'bank_transfer', 'api_keys', 'einvoice_copy')),
  enabled boolean not null,
  payload jsonb,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (client_id, feature)
);
create index client_features_by_age on client_features (client_id, created_at, id);
create trigger touch before update on client_features for each row execute function touch();

-- Credit that does not last for ever.
create table promo_grants (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  transaction_id bigint not null unique references ledger_transactions,
  amount numeric(14, 2) not null check (amount > 0),
  -- The first UTC day on which it no longer counts.
  expires_on date not null,
  ended_on date,
  created_at timestamptz not null default now()
);
create index promo_grants_live on promo_grants (client_id, expires_on) where ended_on is null;

-- A balance that moved is to be looked at; who looks clears this. The rest of the row stays the ledger's.
alter table account_balances
  add column evaluate_due boolean not null default true,
  -- The last UTC day on which that was done: days that pass change things, too.
  add column evaluated_on date;
create index account_balances_due on account_balances (client_id) where evaluate_due;
drop trigger closed on account_balances;
create trigger closed before insert or delete or update of client_id, account_balance, credit_balance, negative_since
  on account_balances for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
drop trigger touch on account_balances;
create trigger touch before update on account_balances for each row
  when ((old.account_balance, old.credit_balance) is distinct from (new.account_balance, new.credit_balance))
  execute function touch();

create function account_balances_mark() returns trigger language plpgsql as $$
begin
  new.evaluate_due := true;
  return new;
end $$;
create trigger mark before update of account_balance, credit_balance on account_balances
  for each row execute function account_balances_mark();

-- What an account uses in a day: the mean of the last seven UTC days that are over, or of as many as there were since its
-- first use; before there is one, what today comes to if it goes on as it began.
create function daily_use(p_client bigint, p_now timestamptz, out amount numeric, out basis_days int)
language plpgsql stable as $$
declare
  v_today date := (p_now at time zone 'utc')::date;
  v_first date;
  v_begun timestamptz;
begin
  amount := 0;
  basis_days := 0;
  select usage_on into v_first from usage_client_days
    where client_id = p_client and usages > 0 and usage_on <= v_today order by usage_on limit 1;
  if v_first is null then return; end if;
  basis_days := least(7, v_today - v_first);
  if basis_days > 0 then
    select round(coalesce(sum(rated_amount), 0) / basis_days, 6) into amount from usage_client_days
      where client_id = p_client and usage_on >= v_today - basis_days and usage_on < v_today;
    return;
  end if;
  select min(p.created_at) into v_begun
    from usage_panel_days d join panels p on p.id = d.panel_id where d.client_id = p_client and d.usage_on = v_today;
  -- At least an hour, so that the first minutes do not tell of riches.
  select round(24 * rated_amount / greatest(1, extract(epoch from p_now
      - greatest(v_begun, v_today::timestamp at time zone 'utc')) / 3600), 6)
    into amount from usage_client_days where client_id = p_client and usage_on = v_today;
end $$;

-- What was used and is not charged yet: what today has come to, and what of the days before is still to be charged.
create function uncharged_use(p_client bigint, p_today date) returns numeric language sql stable as $$
  select coalesce(sum(rated_amount - charged_amount), 0) from usage_client_days
    where client_id = p_client and due and usage_on between p_today - 35 and p_today
$$;

-- The day on which what is available is used up. Credit that ends before it could be spent counts for what is spent until
-- then; it is spent before money. Null when nothing is used, or when it lasts longer than five years.
create function exhaustion_date(p_available numeric, p_daily numeric, p_today date,
  p_ends date[] default '{}', p_credits numeric[] default '{}')
returns date language plpgsql immutable as $$
declare
  v_available numeric := p_available;
  v_ending numeric := 0;
  v_lost numeric := 0;
  v_days numeric := 0;
begin
  if p_daily <= 0 then return null; end if;
  if p_available <= 0 then return p_today; end if;
  -- In the order in which they end.
  for i in 1 .. cardinality(p_ends) loop
    exit when floor(v_available / p_daily) <= p_ends[i] - p_today;
    v_days := greatest(p_ends[i] - p_today, 0);
    v_ending := v_ending + p_credits[i];
    v_lost := greatest(v_lost, v_ending - p_daily * v_days);
    v_available := p_available - v_lost;
  end loop;
  v_days := greatest(v_days, floor(v_available / p_daily));
  if v_days > (p_today + interval '5 years')::date - p_today then return null; end if;
  return p_today + v_days::int;
end $$;

-- What is left of credit that ends, in the order in which it ends: it is spent before credit that lasts.
create function ending_credit(p_client bigint) returns table (grant_id bigint, expires_on date, remaining numeric)
language sql stable as $$
  select g.id, g.expires_on, least(a.balance, greatest(0, g.amount - greatest(0, spent.amount
    - coalesce(sum(g.amount) over (order by g.expires_on, g.id rows between unbounded preceding and 1 preceding), 0))))
  from promo_grants g
  join ledger_accounts a on a.client_id = g.client_id and a.kind = 'client_credit'
  cross join lateral (
    select coalesce(-sum(e.amount), 0) as amount
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where e.account_id = a.id and t.id > g.transaction_id and t.kind = 'usage'
  ) spent
  where g.client_id = p_client and g.ended_on is null
  order by g.expires_on, g.id
$$;

-- What happens when nothing is paid, and when: the days that the job goes by. Before the balance is below zero they are
-- expected ones.
create function dunning_timeline(p_policy billing_policies, p_today date, p_held numeric, p_available numeric, p_daily numeric,
  p_negative_since date, p_exhaustion date, p_hold date, p_suspended_on date, p_trial_ends date)
returns jsonb language plpgsql immutable as $$
declare
  v_began date := coalesce(p_negative_since, p_exhaustion);
  v_low date := case when p_negative_since is null then p_exhaustion - (select max(d) from unnest(p_policy.low_days) d) end;
  v_warned date;
  v_suspended date;
begin
  if p_suspended_on is null then
    -- By days, or by the amount if that comes first.
    v_warned := least(v_began + p_policy.warn_days,
      case when p_held < p_policy.warn_below then p_today else exhaustion_date(p_available - p_policy.warn_below, p_daily, p_today) end);
    v_suspended := least(v_began + p_policy.suspend_days,
      case when p_held < -p_policy.credit_limit then p_today else exhaustion_date(p_available + p_policy.credit_limit, p_daily, p_today) end);
    v_suspended := greatest(v_suspended, p_hold + 1);
  else
    v_suspended := p_suspended_on;
  end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object('step', x.step, 'on', x.at, 'reached', x.at <= p_today) order by x.at, x.place)
    from (values (0, 'trial_ends', p_trial_ends), (1, 'low', v_low), (2, 'negative', v_began), (3, 'warned', v_warned),
      (4, 'suspended', v_suspended), (5, 'terminated', v_suspended + p_policy.terminate_days)) x (place, step, at)
    where x.at is not null
  ), '[]');
end $$;

drop view billing_profiles;
create view billing_profiles as
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
cross join billing_policies p
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
