alter table payment_disputes
  -- How often the state changed: what was read before another change is read again.
  add column turns int not null default 0,
  -- The provider's fee that is in the books.
  add column fee numeric(14, 2) not null default 0;

-- What a lost dispute took back, in parts that are each undone when it is won after all.
create table dispute_parts (
  id bigint generated always as identity primary key,
  dispute_id bigint not null references payment_disputes,
  client_id bigint not null references clients,
  -- unused: of a deposit, credited at once; used: of a deposit, owed on the next bill; bill: a bill is open again.
  kind text not null check (kind in ('unused', 'used', 'bill')),
  -- The invoice of the deposit, or the bill.
  invoice_id bigint not null references invoices,
  net numeric(14, 2) not null,
  vat numeric(14, 2) not null,
  -- The UTC day: used parts are on the bill of its month.
  lost_on date not null default clock_today(),
  ledger_transaction_id bigint unique references ledger_transactions,
  credit_note_id bigint unique references invoices,
  -- The bill that asks for a used part.
  bill_id bigint references invoices,
  returned_at timestamptz,
  created_at timestamptz not null default now()
);
create index dispute_parts_of_dispute on dispute_parts (dispute_id);
create index dispute_parts_unbilled on dispute_parts (client_id)
  where kind = 'used' and bill_id is null and returned_at is null;
