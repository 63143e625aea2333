-- Cards, payments by them, and what a client lets us charge by ourselves. No number of a card is ever here: a provider keeps
-- it, and we keep what the provider calls it.

-- What a provider calls a client.
create table payment_customers (
  client_id bigint not null references clients on delete cascade,
  provider text not null,
  ref text not null,
  primary key (client_id, provider)
);

create table cards (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  provider text not null check (provider in ('stripe', 'sandbox')),
  -- What the provider calls the card, and whose it is there.
  provider_ref text not null,
  customer_ref text not null,
  brand text not null,
  last4 char(4) not null check (last4 ~ '^[0-9]{4}$'),
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null check (exp_year between 2000 and 2100),
  country char(2),
  -- The same for the same number, whenever it is entered.
  fingerprint text not null,
  is_default boolean not null default false,
  status text not null default 'active' check (status in ('active', 'expired', 'removed', 'failed')),
  -- The last letter that was written about its end: 30 or 7 days before it, or 0 after it.
  warned_days int,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint cards_default_is_active check (not is_default or status = 'active'),
  unique (provider, provider_ref),
  unique (id, client_id)
);
create unique index cards_once on cards (client_id, provider, fingerprint) where status = 'active';
create unique index cards_one_default on cards (client_id) where is_default;
create index cards_of_client on cards (client_id, id);
create trigger touch before update on cards for each row execute function touch();

-- The default moves: whatever names a new one takes it from the one before.
create function card_default_moves() returns trigger language plpgsql as $$
begin
  update cards set is_default = false where client_id = new.client_id and is_default and id <> new.id;
  return new;
end $$;
create trigger default_moves before update of is_default on cards
  for each row when (new.is_default and not old.is_default) execute function card_default_moves();

create table setup_intents (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  -- Null until it was asked, and until it has answered.
  provider text check (provider in ('stripe', 'sandbox')),
  provider_ref text,
  status text not null default 'created'
    check (status in ('created', 'requires_action', 'processing', 'succeeded', 'failed', 'canceled')),
  usage text not null default 'off_session' check (usage = 'off_session'),
  card_id bigint references cards,
  error_code text,
  requested_by bigint references clients on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_ref)
);
create index setup_intents_of_client on setup_intents (client_id, id);
create index setup_intents_cards on setup_intents (card_id) where card_id is not null;
create trigger touch before update on setup_intents for each row execute function touch();

create table payments (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  purpose text not null check (purpose in ('deposit', 'auto_recharge', 'service_bill', 'bank_transfer')),
  provider text not null check (provider in ('stripe', 'sandbox', 'bank')),
  -- What the provider calls it; null until it has answered.
  provider_ref text,
  method text not null default 'card' check (method in ('card', 'bank_transfer')),
  card_id bigint,
  currency char(3) not null,
  net numeric(14, 2) not null check (net >= 0),
  vat numeric(14, 2) not null check (vat >= 0),
  gross numeric(14, 2) not null check (gross > 0),
  -- How the VAT was decided when the payment was begun.
  vat_treatment text not null,
  vat_country char(2) not null,
  vat_rate numeric(5, 2) not null check (vat_rate >= 0),
  -- The open bill that it is for; null: the balance.
  invoice_id bigint references invoices,
  proforma_id bigint unique references invoices,
  -- The fiscal invoice that was issued for what goes to the balance.
  advance_invoice_id bigint unique references invoices,
  -- What is shown as the document of the payment.
  document_id bigint generated always as (coalesce(advance_invoice_id, invoice_id)) stored,
  status text not null default 'created' check (status in ('created', 'processing', 'requires_action', 'succeeded', 'failed',
    'canceled', 'partially_refunded', 'refunded', 'disputed')),
  failure_code text,
  failure_message text,
  initiated_by bigint references clients on delete set null,
  off_session boolean not null default false,
  constraint payments_card_of_client foreign key (card_id, client_id) references cards (id, client_id),
  refunded numeric(14, 2) not null default 0 check (refunded >= 0),
  settled_at timestamptz,
  ledger_transaction_id bigint unique references ledger_transactions,
  -- When the provider is to be asked what became of it, in real time, and how often it was.
  next_look_at timestamptz default now() + interval '60 seconds',
  looks int not null default 0,
  begun_at timestamptz not null default now(),
  created_at timestamptz not null default clock_now(),
  updated_at timestamptz not null default now(),
  constraint payments_sum check (gross = net + vat),
  constraint payments_refunded check (refunded <= gross),
  constraint payments_settled check ((settled_at is not null)
    = (status in ('succeeded', 'partially_refunded', 'refunded', 'disputed'))),
  constraint payments_provider_ref unique (provider, provider_ref)
);
create index payments_of_client on payments (client_id, created_at, id);
create index payments_open on payments (next_look_at) where status in ('created', 'processing', 'requires_action');
create index payments_of_card on payments (card_id) where card_id is not null;
create unique index payments_one_auto on payments (client_id)
  where purpose = 'auto_recharge' and status in ('created', 'processing', 'requires_action');
create unique index payments_one_bill on payments (invoice_id)
  where invoice_id is not null and status in ('created', 'processing', 'requires_action');
create trigger touch before update on payments for each row execute function touch();

-- Forward only, whatever arrives late: what was settled stays settled, and money that came after all is taken.
create function payment_moves() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and not (new.status = any (case old.status
    when 'created' then '{processing,requires_action,succeeded,failed,canceled}'
    when 'processing' then '{requires_action,succeeded,failed,canceled}'
    when 'requires_action' then '{processing,succeeded,failed,canceled}'
    when 'failed' then '{succeeded}'
    when 'canceled' then '{succeeded}'
    when 'succeeded' then '{partially_refunded,refunded,disputed}'
    when 'partially_refunded' then '{refunded,disputed}'
    when 'disputed' then '{succeeded,partially_refunded,refunded}'
    else '{}' end::text[])) then
    raise exception 'payment_moves: payment % cannot go from % to %', old.id, old.status, new.status using errcode = '23514';
  end if;
  return new;
end $$;
create trigger moves before update of status on payments for each row execute function payment_moves();

create table payment_refunds (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments,
  client_id bigint not null references clients,
  net numeric(14, 2) not null check (net > 0),
  vat numeric(14, 2) not null check (vat >= 0),
  gross numeric(14, 2) not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  reason text not null check (length(btrim(reason)) between 1 and 500),
  provider_ref text unique,
  failure_code text,
  requested_by bigint references clients on delete set null,
  requested_by_admin bigint references admins,
  credit_note_id bigint references invoices,
  ledger_transaction_id bigint unique references ledger_transactions,
  created_at timestamptz not null default clock_now(),
  updated_at timestamptz not null default now(),
  constraint payment_refunds_sum check (gross = net + vat)
);
create index payment_refunds_of_payment on payment_refunds (payment_id);
create index payment_refunds_of_client on payment_refunds (client_id);
create trigger touch before update on payment_refunds for each row execute function touch();

create table payment_disputes (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments,
  provider text not null,
  provider_ref text not null,
  amount numeric(14, 2) not null check (amount > 0),
  status text not null check (status in ('open', 'won', 'lost')),
  ledger_transaction_id bigint unique references ledger_transactions,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_ref)
);
create index payment_disputes_of_payment on payment_disputes (payment_id);
create trigger touch before update on payment_disputes for each row execute function touch();

-- What providers told, each message once. Only what it is about is kept: a job reads that from the provider.
create table payment_events (
  provider text not null,
  event_id text not null,
  type text not null,
  object_ref text not null,
  happened_at timestamptz not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  primary key (provider, event_id)
);
create index payment_events_waiting on payment_events (received_at) where processed_at is null;

-- What is wrong between a provider and us and needs a person: another amount, another currency, nothing known of it.
create table payment_alerts (
  id bigint generated always as identity primary key,
  payment_id bigint references payments,
  kind text not null,
  detail jsonb not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  unique (payment_id, kind)
);

create table automated_billing_rules (
  id bigint generated always as identity primary key,
  client_id bigint not null unique references clients on delete cascade,
  enabled boolean not null default false,
  threshold_amount numeric(14, 2) not null,
  recharge_amount numeric(14, 2) not null,
  -- The most that is charged in one month, without VAT; null: no limit.
  monthly_cap numeric(14, 2),
  cooldown_minutes int not null default 60 check (cooldown_minutes between 0 and 10080),
  card_id bigint,
  fallback_card_id bigint,
  status text not null default 'off' check (status in ('off', 'active', 'paused_declined', 'needs_action')),
  consent_text_hash bytea,
  consent_at timestamptz,
  consent_ip inet,
  consent_client_id bigint references clients on delete set null,
  failures smallint not null default 0,
  -- The first card was refused just now, and the other one is tried next.
  use_fallback boolean not null default false,
  -- By the business clock.
  next_try_at timestamptz,
  last_charge_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint rules_card_of_client foreign key (card_id, client_id) references cards (id, client_id),
  constraint rules_fallback_of_client foreign key (fallback_card_id, client_id) references cards (id, client_id),
  constraint rules_threshold check (threshold_amount >= 5),
  constraint rules_recharge check (recharge_amount >= 10),
  constraint rules_cap check (monthly_cap >= recharge_amount),
  constraint rules_two_cards check (fallback_card_id <> card_id),
  constraint rules_status check (enabled = (status <> 'off')),
  constraint rules_consent check (not enabled or (consent_at is not null and card_id is not null))
);
create index rules_enabled on automated_billing_rules (client_id) where enabled;
create index rules_cards on automated_billing_rules (card_id) where card_id is not null;
create index rules_fallback_cards on automated_billing_rules (fallback_card_id) where fallback_card_id is not null;
create trigger touch before update on automated_billing_rules for each row execute function touch();

-- Every decision, also that of not charging. The same one again only counts up.
create table automated_billing_decisions (
  id bigint generated always as identity primary key,
  rule_id bigint not null references automated_billing_rules on delete cascade,
  outcome text not null check (outcome in ('charged', 'not_charged', 'declined', 'needs_action', 'succeeded', 'paused')),
  reason text not null,
  available numeric(20, 6),
  amount numeric(14, 2),
  payment_id bigint references payments,
  times int not null default 1,
  decided_at timestamptz not null default clock_now(),
  last_at timestamptz not null default clock_now()
);
create index decisions_of_rule on automated_billing_decisions (rule_id, id desc);

-- What was answered to a POST that carried an Idempotency-Key, so that the same one again is answered the same. The answer
-- is sealed: it may hold a secret.
create table idempotency_keys (
  actor text not null,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null,
  done boolean not null default false,
  -- What it made, where the rest is done after a commit.
  resource_id bigint,
  status smallint,
  location text,
  answer bytea,
  locked_until timestamptz not null,
  -- Of something that moves money: never forgotten.
  keep boolean not null,
  created_at timestamptz not null default now(),
  primary key (actor, key)
);
create index idempotency_keys_old on idempotency_keys (created_at) where not keep;

-- What the sandbox remembers in the place of a provider.
create table sandbox_objects (
  ref text primary key,
  made_by text not null unique,
  kind text not null check (kind in ('customer', 'method', 'setup', 'payment', 'refund', 'dispute')),
  body jsonb not null,
  created_at timestamptz not null default now()
);
