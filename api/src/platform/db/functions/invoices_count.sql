-- Notes how a change of an issued document changes the counts of documents.
create or replace function invoices_count() returns trigger language plpgsql as $$
begin
  if old.issued_at is not null then perform invoice_counted(old, -1); end if;
  perform invoice_counted(new, 1);
  return null;
end $$;
