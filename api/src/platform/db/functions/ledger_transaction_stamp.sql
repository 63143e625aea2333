-- A transaction belongs to the transaction of the database that writes it, whatever the writer says.
create or replace function ledger_transaction_stamp() returns trigger language plpgsql as $$
begin
  new.written_by := pg_current_xact_id();
  return new;
end $$;
