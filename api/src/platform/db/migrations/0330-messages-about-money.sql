-- expand
-- What staff write for the client about a movement of their balance. The ledger itself holds no words.
create table balance_messages (
  ledger_transaction_id bigint primary key references ledger_transactions,
  client_id bigint not null references clients,
  message text not null check (length(message) between 1 and 300),
  created_at timestamptz not null default now()
);
create index balance_messages_by_client on balance_messages (client_id);
create trigger staff_note after insert or update or delete on balance_messages for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
