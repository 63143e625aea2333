-- expand
-- Figures of each UTC day, computed from the ledger, the usage and the plans by `report_day`. Everything here can be deleted:
-- the next run of the job computes it again.
create table report_days (
  day date primary key,
  -- Something of this day changed since it was computed, or it was never computed.
  stale boolean not null default true,
  made_at timestamptz
);

-- What was posted on an account of the ledger; those of clients are one account by kind.
create table report_postings (
  day date not null references report_days on delete cascade,
  account text not null,
  movement text not null,
  currency char(3) not null,
  debit numeric(24, 6) not null,
  credit numeric(24, 6) not null,
  primary key (day, account, movement)
);

-- What usage of this day was charged, by the plan that the panel had.
create table report_plans (
  day date not null references report_days on delete cascade,
  currency char(3) not null,
  -- Null: without a plan.
  plan_id bigint,
  fees numeric(24, 6) not null,
  metered numeric(24, 6) not null,
  constraint report_plans_once unique nulls not distinct (day, currency, plan_id)
);

-- How things stood at the end of a month, or stand today.
create table report_stocks (
  day date not null references report_days on delete cascade,
  currency char(3) not null,
  -- The monthly fees of panels whose plan is charged, and the number of these panels.
  mrr numeric(24, 6) not null,
  panels int not null,
  -- The balances of clients above and below zero.
  paid_ahead numeric(24, 6) not null,
  owed numeric(24, 6) not null,
  -- Clients who were charged in the month, in the month before, and then but not now; the last is known when the month is over.
  payers int not null,
  payers_before int not null,
  lost int,
  -- Accounts that were opened and closed in the operator's month.
  joined int not null,
  departed int not null,
  primary key (day, currency)
);

-- When changes of the ledger were last looked for.
create table report_state (
  only_one boolean primary key default true check (only_one),
  seen_at timestamptz
);
insert into report_state default values;

-- The reports of the desk, by which they have an address.
create table reports (
  id bigint primary key,
  kind text not null unique
);
insert into reports (id, kind) values (1, 'revenue'), (2, 'revenue_by_plan'), (3, 'top_clients'), (4, 'top_workspaces'),
  (5, 'recurring'), (6, 'cash'), (7, 'aged_debt'), (8, 'paid_ahead'), (9, 'sales'), (10, 'vat'), (11, 'oss'),
  (12, 'trial_balance');
