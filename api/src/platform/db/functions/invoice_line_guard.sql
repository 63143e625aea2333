create or replace function invoice_line_guard() returns trigger language plpgsql as $$
begin
  if (tg_op <> 'INSERT' and exists (select from invoices where id = old.invoice_id and issued_at is not null))
    or (tg_op <> 'DELETE' and exists (select from invoices where id = new.invoice_id and issued_at is not null))
  then
    raise exception 'invoice_immutable: the lines of an issued document stay' using errcode = '55000';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
