-- expand
-- debt: given back or set off before; owed on the balance. Its invoice is the one that the payment had.
alter table dispute_parts
  drop constraint dispute_parts_kind_check,
  add constraint dispute_parts_kind_check check (kind in ('unused', 'used', 'bill', 'debt'));

-- Money that a client got back twice, or that set off such money: a debt on the balance, without VAT.
create table payment_debts (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  payment_id bigint not null references payments,
  -- A lost dispute took back what had been given back before, or a refund was sent of what a lost dispute had taken.
  dispute_part_id bigint unique references dispute_parts,
  refund_id bigint unique references payment_refunds,
  amount numeric(14, 2) not null check (amount > 0),
  -- The part against which deposits were set off, with their VAT.
  set_off numeric(14, 2) not null default 0,
  -- The dispute was won, or the refund came back.
  ended_at timestamptz,
  created_at timestamptz not null default clock_now(),
  constraint payment_debts_cause check ((dispute_part_id is null) <> (refund_id is null)),
  constraint payment_debts_set_off check (set_off between 0 and amount)
);
create index payment_debts_of_payment on payment_debts (payment_id);
create index payment_debts_open on payment_debts (client_id) where ended_at is null and set_off < amount;

create table debt_set_offs (
  id bigint generated always as identity primary key,
  debt_id bigint not null references payment_debts,
  -- The credit note of the deposit.
  credit_note_id bigint not null unique references invoices,
  -- Its VAT; null: it had none.
  ledger_transaction_id bigint unique references ledger_transactions
);
create index debt_set_offs_of_debt on debt_set_offs (debt_id);
