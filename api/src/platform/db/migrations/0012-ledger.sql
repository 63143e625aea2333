-- The business clock, and the books: double entry, enforced here so that SQL written by hand is held to it too.

-- What counts business days (ledger, usage, rating, charging, dunning) reads this clock. It runs ahead of real time only
-- in a demo, where it can be moved; sign-in, signatures and mail stay on real time.
create table clock (
  only_one boolean primary key default true check (only_one),
  ahead interval not null default '0'
);
insert into clock default values;

create function clock_now() returns timestamptz language sql stable as 'select now() + ahead from clock';
-- The UTC day that business is at.
create function clock_today() returns date language sql stable as
  'select ((now() + ahead) at time zone ''utc'')::date from clock';

-- Accounts of clients (`client:{id}:balance`, `:credit`, `:vat_due`) are made with the client and carry a running balance.
-- Those of the platform are made at their first use and are summed when asked for: a running one would be a row that all
-- clients wait for. Sign everywhere: + is credit, - is debit.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  code text not null unique,
  client_id bigint references clients on delete cascade,
  kind text not null check (kind in ('client_balance', 'client_credit', 'client_vat_due', 'psp_clearing', 'bank',
    'revenue_usage', 'vat_payable', 'promo_expense', 'goodwill', 'chargeback', 'writeoff', 'psp_fees', 'opening')),
  currency char(3) not null check (currency ~ '^[A-Z]{3}$'),
  live_balance boolean not null default false,
  balance numeric(20, 6) not null default 0,
  -- How many entries the running balance is made of.
  version bigint not null default 0,
  unique (id, currency),
  constraint ledger_accounts_live check ((client_id is not null) = live_balance and (live_balance or balance = 0)),
  constraint ledger_accounts_credit_not_negative check (kind <> 'client_credit' or balance >= 0)
);
create unique index ledger_accounts_of_client on ledger_accounts (client_id, kind) where client_id is not null;

create table ledger_transactions (
  id bigint generated always as identity primary key,
  idempotency_key text not null unique check (length(idempotency_key) between 1 and 200),
  -- opening, deposit, promo, promo_expiry, usage, correction, service_bill, bill_payment, refund, dispute, write_off,
  -- goodwill, reversal.
  kind text not null check (kind ~ '^[a-z_]{1,30}$'),
  client_id bigint references clients,
  currency char(3) not null,
  -- The UTC day that it counts for; late usage is charged on a later day than it was used on.
  effective_on date not null,
  reverses_id bigint unique,
  source_type text,
  source_id bigint,
  -- The transaction of the database that wrote it: nothing can be added once that is over.
  written_by xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default clock_now(),
  unique (id, currency),
  foreign key (reverses_id, currency) references ledger_transactions (id, currency)
);
create index ledger_transactions_of_client on ledger_transactions (client_id, id) where client_id is not null;

create table ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id bigint not null,
  account_id bigint not null,
  currency char(3) not null,
  amount numeric(20, 6) not null check (amount <> 0 and amount <> 'NaN'),
  -- Null for accounts of the platform.
  balance_after numeric(20, 6),
  constraint ledger_entries_same_currency foreign key (transaction_id, currency) references ledger_transactions (id, currency),
  constraint ledger_entries_account_currency foreign key (account_id, currency) references ledger_accounts (id, currency)
);
create index ledger_entries_of_transaction on ledger_entries (transaction_id);
create index ledger_entries_of_account on ledger_entries (account_id, id);

-- Opens the accounts of new clients, however many come in one statement.
create function ledger_open_accounts() returns trigger language plpgsql as $$
begin
  insert into ledger_accounts (code, client_id, kind, currency, live_balance)
    select 'client:' || c.id || ':' || k.name, c.id, 'client_' || k.name, cur.code, true
    from added c join currencies cur on cur.id = c.currency_id
      cross join (values ('balance'), ('credit'), ('vat_due')) k (name)
    order by c.id, k.name;
  insert into account_balances (client_id) select id from added;
  return null;
end $$;

-- An account of the platform by its code, made when it is not there yet; that of a client must be there.
create function ledger_account(p_code text, p_currency char(3)) returns bigint language plpgsql as $$
declare
  v_id bigint;
  v_kind text;
begin
  select id into v_id from ledger_accounts where code = p_code;
  if found then return v_id; end if;
  v_kind := case
    when p_code ~ ('^psp:[a-z0-9_-]{1,30}:' || p_currency || '$') then 'psp_clearing'
    when p_code = 'bank:' || p_currency then 'bank'
    when p_code = 'revenue:usage:' || p_currency then 'revenue_usage'
    when p_code ~ ('^vat:[A-Z]{2}:[0-9]{1,2}(\.[0-9]{1,2})?:' || p_currency || '$') then 'vat_payable'
    when p_code = 'promo:' || p_currency then 'promo_expense'
    when p_code = 'goodwill:' || p_currency then 'goodwill'
    when p_code = 'chargeback:' || p_currency then 'chargeback'
    when p_code = 'writeoff:' || p_currency then 'writeoff'
    when p_code = 'fees:' || p_currency then 'psp_fees'
    -- What was owed either way before these books began.
    when p_code = 'opening:' || p_currency then 'opening'
  end;
  if v_kind is null then
    raise exception 'ledger_account_unknown: there is no account % in %', p_code, p_currency using errcode = 'LG001';
  end if;
  insert into ledger_accounts (code, kind, currency) values (p_code, v_kind, p_currency) on conflict (code) do nothing;
  select id into v_id from ledger_accounts where code = p_code;
  return v_id;
end $$;

-- A transaction belongs to the transaction of the database that writes it, whatever the writer says.
create function ledger_transaction_stamp() returns trigger language plpgsql as $$
begin
  new.written_by := pg_current_xact_id();
  return new;
end $$;
create trigger stamp before insert on ledger_transactions for each row execute function ledger_transaction_stamp();

-- Before an entry is written: its transaction is still open and of the same client as the account, whose running balance
-- moves with it.
create function ledger_entry_apply() returns trigger language plpgsql as $$
declare
  v_transaction record;
  v_client bigint;
begin
  select written_by, client_id into v_transaction from ledger_transactions where id = new.transaction_id;
  if v_transaction.written_by is distinct from pg_current_xact_id() then
    raise exception 'ledger_transaction_closed: ledger transaction % cannot grow', new.transaction_id using errcode = '23514';
  end if;
  new.balance_after := null;
  update ledger_accounts set balance = balance + new.amount, version = version + 1
    where id = new.account_id and live_balance
    returning balance, client_id into new.balance_after, v_client;
  if v_client is not null and v_client is distinct from v_transaction.client_id then
    raise exception 'ledger_foreign_account: ledger transaction % is of another client than account %',
      new.transaction_id, new.account_id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger apply before insert on ledger_entries for each row execute function ledger_entry_apply();

-- What a client holds, kept from the entries of a statement. All entries of a transaction are to come in one statement:
-- between two of them the balance may pass through zero, and the day on which it went below would be lost.
create function ledger_project() returns trigger language plpgsql as $$
begin
  update account_balances b set
    account_balance = b.account_balance + s.balance,
    credit_balance = b.credit_balance + s.credit,
    negative_since = case when b.account_balance + b.credit_balance + s.balance + s.credit < 0
      then coalesce(b.negative_since, s.effective_on) end
  from (
    select a.client_id, min(t.effective_on) as effective_on,
      coalesce(sum(e.amount) filter (where a.kind = 'client_balance'), 0) as balance,
      coalesce(sum(e.amount) filter (where a.kind = 'client_credit'), 0) as credit
    from added e
    join ledger_accounts a on a.id = e.account_id and a.kind in ('client_balance', 'client_credit')
    join ledger_transactions t on t.id = e.transaction_id
    group by a.client_id
  ) s
  where b.client_id = s.client_id;
  return null;
end $$;
create trigger project after insert on ledger_entries referencing new table as added
  for each statement execute function ledger_project();

-- The books cannot be committed out of balance, whoever writes them. Entries are looked at too, because a check that was
-- asked for early (`set constraints`) has already seen the transaction.
create function ledger_assert_balanced() returns trigger language plpgsql as $$
declare
  v_transaction bigint;
  v_sum numeric;
  v_entries int;
begin
  if tg_table_name = 'ledger_transactions' then v_transaction := new.id;
  else v_transaction := new.transaction_id;
  end if;
  select sum(amount), count(*) into v_sum, v_entries from ledger_entries where transaction_id = v_transaction;
  if v_entries < 2 or v_sum <> 0 then
    raise exception 'ledger_unbalanced: ledger transaction % has % entries with the sum %', v_transaction, v_entries, v_sum
      using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger balanced after insert on ledger_transactions
  deferrable initially deferred for each row execute function ledger_assert_balanced();
create constraint trigger balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_assert_balanced();

-- History is corrected by a new entry, never by an edit.
create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_closed: % of % is left to the ledger', lower(tg_op), tg_table_name using errcode = '55000';
end $$;
create trigger frozen before update or delete or truncate on ledger_transactions
  for each statement execute function ledger_refuse();
create trigger frozen before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse();

-- Balances are moved by entries, and accounts come and go with their clients: both happen inside of a trigger.
create trigger closed before update or delete on ledger_accounts
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger closed_whole before truncate on ledger_accounts for each statement execute function ledger_refuse();
create trigger begins_empty before insert on ledger_accounts
  for each row when (new.balance <> 0 or new.version <> 0) execute function ledger_refuse();

-- The one way to write: an entry is {"account": code, "amount": decimal}, as text so that nothing rounds it on the way.
-- The same key again answers the same id with `posted` false and writes nothing; with other data it raises LG002. The day
-- is not compared: what is tried again after midnight is the same.
create function ledger_post(
  p_key text,
  p_kind text,
  p_client bigint,
  p_currency char(3),
  p_on date,
  p_entries jsonb,
  p_source_type text default null,
  p_source_id bigint default null,
  p_reverses bigint default null
) returns table (id bigint, posted boolean) language plpgsql as $$
#variable_conflict use_column
declare
  v_id bigint;
  v_entries int;
  v_sum numeric;
  v_precise boolean;
begin
  -- Always in the order of ids, and once for all that follows: whoever else posts for this client waits here.
  perform 1 from ledger_accounts a where a.client_id = p_client order by a.id for no key update;

  select t.id into v_id from ledger_transactions t where t.idempotency_key = p_key;
  if v_id is null then
    if exists (select from ledger_transactions t where t.reverses_id = p_reverses) then
      raise exception 'ledger_reversed_already: ledger transaction % was reversed before', p_reverses using errcode = 'LG003';
    end if;
    -- Told at once; what is told at the commit is told to nobody who could say which posting it was.
    select count(*), sum(e.amount), bool_or(e.amount <> round(e.amount, 6)) into v_entries, v_sum, v_precise
      from jsonb_to_recordset(p_entries) e (amount numeric);
    if v_precise then
      raise exception 'ledger_too_precise: an amount has more than 6 decimals' using errcode = '22003';
    end if;
    if v_entries < 2 or v_sum <> 0 then
      raise exception 'ledger_unbalanced: % has % entries with the sum %', p_key, v_entries, v_sum using errcode = '23514';
    end if;
    insert into ledger_transactions
        (idempotency_key, kind, client_id, currency, effective_on, source_type, source_id, reverses_id)
      values (p_key, p_kind, p_client, p_currency, p_on, p_source_type, p_source_id, p_reverses)
      on conflict (idempotency_key) do nothing returning ledger_transactions.id into v_id;
    if v_id is not null then
      insert into ledger_entries (transaction_id, account_id, currency, amount)
        select v_id, e.account_id, p_currency, e.amount
        from (select ledger_account(x.account, p_currency) as account_id, x.amount
          from jsonb_to_recordset(p_entries) x (account text, amount numeric)) e
        order by e.account_id;
      return query select v_id, true;
      return;
    end if;
    select t.id into v_id from ledger_transactions t where t.idempotency_key = p_key;
  end if;

  if not exists (
    select from ledger_transactions t
    where t.id = v_id
      and (t.kind, t.client_id, t.currency, t.source_type, t.source_id, t.reverses_id)
        is not distinct from (p_kind, p_client, p_currency, p_source_type, p_source_id, p_reverses)
      and (select jsonb_agg(jsonb_build_array(a.code, e.amount) order by a.code, e.amount)
        from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = t.id)
      = (select jsonb_agg(jsonb_build_array(x.account, x.amount) order by x.account, x.amount)
        from jsonb_to_recordset(p_entries) x (account text, amount numeric))
  ) then
    raise exception 'ledger_key_reused: % was posted with other data', p_key using errcode = 'LG002';
  end if;
  return query select v_id, false;
end $$;

-- Books are kept in one currency, which stays once they have begun.
create function ledger_keep_currency() returns trigger language plpgsql as $$
begin
  perform 1 from ledger_accounts where client_id = new.id order by id for update;
  if exists (select from ledger_accounts where client_id = new.id and version > 0) then
    raise exception 'ledger_currency_fixed: client % has entries in its currency', new.id using errcode = '23514',
      constraint = 'clients_currency_fixed';
  end if;
  update ledger_accounts set currency = (select code from currencies where id = new.currency_id)
    where client_id = new.id;
  return new;
end $$;

-- Balances that are there are brought over by postings that say where they come from.
create temporary table brought_over on commit drop as
  select b.client_id, cur.code::char(3) as currency, b.account_balance, b.credit_balance,
    coalesce(b.negative_since, clock_today()) as effective_on
  from account_balances b join clients c on c.id = b.client_id join currencies cur on cur.id = c.currency_id
  where b.account_balance <> 0 or b.credit_balance <> 0;
delete from account_balances;
alter table account_balances drop constraint account_balances_client_id_fkey,
  add foreign key (client_id) references clients on delete cascade;
insert into account_balances (client_id) select id from clients;
insert into ledger_accounts (code, client_id, kind, currency, live_balance)
  select 'client:' || c.id || ':' || k.name, c.id, 'client_' || k.name, cur.code, true
  from clients c join currencies cur on cur.id = c.currency_id
    cross join (values ('balance'), ('credit'), ('vat_due')) k (name)
  order by c.id, k.name;
select ledger_post('opening:' || client_id, 'opening', client_id, currency, effective_on, (
    select jsonb_agg(jsonb_build_object('account', e.account, 'amount', e.amount::text))
    from (values ('client:' || client_id || ':balance', account_balance), ('client:' || client_id || ':credit', credit_balance),
      ('opening:' || currency, -account_balance - credit_balance)) e (account, amount)
    where e.amount <> 0
  ))
from brought_over;
set constraints all immediate;

create trigger open_accounts after insert on clients referencing new table as added
  for each statement execute function ledger_open_accounts();
create trigger keep_currency before update of currency_id on clients
  for each row when (old.currency_id is distinct from new.currency_id) execute function ledger_keep_currency();
create trigger closed before insert or update or delete on account_balances
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger closed_whole before truncate on account_balances for each statement execute function ledger_refuse();
