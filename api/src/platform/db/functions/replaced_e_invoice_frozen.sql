-- What was sent to the tax office and its answer are evidence, which stays as it is.
create or replace function replaced_e_invoice_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'replaced_e_invoice_closed: % of %', lower(tg_op), tg_table_name using errcode = '55000';
end $$;
