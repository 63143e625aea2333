-- expand
-- What moved at a payment provider without being in the ledger: money that it paid out to the bank, below zero, or took back
-- from a payout, and money that it changed, once out of one currency and once into another.
create table provider_transfers (
  id bigint generated always as identity primary key,
  provider text not null,
  ref text not null,
  kind text not null check (kind in ('payout', 'exchange')),
  currency char(3) not null,
  amount numeric(14, 2) not null,
  moved_at timestamptz not null,
  -- The reading that listed it first, in whose balance it is.
  read_at timestamptz not null,
  unique (provider, ref, currency)
);

-- What a provider said on a day that it holds for the operator, and what the ledger had at the same moment.
create table provider_balances (
  id bigint generated always as identity primary key,
  provider text not null,
  currency char(3) not null,
  -- The UTC day of the business clock.
  day date not null,
  held numeric(14, 2) not null,
  booked numeric(20, 6) not null,
  -- Open disputes, whose money a provider may hold back before the ledger posts a loss.
  disputed numeric(14, 2) not null,
  read_at timestamptz not null,
  unique (provider, currency, day)
);

-- The comparison begins with the first reading: what the provider held then is taken as it was.
create view provider_days as
  select b.id, b.provider, b.currency, b.day, b.held, b.disputed, b.read_at,
    b.paid_out - lag(b.paid_out, 1, b.paid_out) over w as paid_out,
    b.expected, b.held - b.expected as difference,
    b.held - b.expected - lag(b.held - b.expected, 1, 0.00) over w as changed
  from (
    select s.id, s.provider, s.currency, s.day, s.held, s.disputed, s.read_at, t.paid_out,
      first_value(s.held - round(s.booked, 2) - t.moved) over (partition by s.provider, s.currency order by s.day)
        + round(s.booked, 2) + t.moved as expected
    from provider_balances s cross join lateral (
      select coalesce(sum(m.amount), 0) as moved, coalesce(-sum(m.amount) filter (where m.kind = 'payout'), 0) as paid_out
      from provider_transfers m
      where m.provider = s.provider and m.currency = s.currency and m.read_at <= s.read_at) t
  ) b window w as (partition by b.provider, b.currency order by b.day);
