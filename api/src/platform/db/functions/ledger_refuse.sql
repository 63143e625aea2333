-- The ledger is append-only: corrections are new entries.
create or replace function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_closed: % of % is left to the ledger', lower(tg_op), tg_table_name using errcode = '55000';
end $$;
