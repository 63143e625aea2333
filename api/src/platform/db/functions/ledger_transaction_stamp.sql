-- A ledger transaction always carries the id of the database transaction that writes it.
create or replace function ledger_transaction_stamp() returns trigger language plpgsql as $$
begin
  new.written_by := pg_current_xact_id();
  return new;
end $$;
