-- An issued invoice is immutable, except for its status (paid, credited) and its files, which are set once; an electronic invoice
-- that was kept in replaced_e_invoices gives way to another, and so does the file of a proforma that is cancelled.
-- The full number is generated from its parts after this trigger, and so is not compared.
create or replace function invoice_guard() returns trigger language plpgsql as $$
declare
  v_follows text[] := '{paid,credited,written_off,invoice_status_id,pdf_key,pdf_sha256,xml_key,xml_sha256,updated_at,full_number}';
begin
  if tg_op = 'INSERT' then
    if new.issued_at is not null then
      raise exception 'invoice_issued: a document is issued by invoice_issue' using errcode = 'IN001';
    end if;
    return new;
  end if;
  if old.issued_at is null then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' or (to_jsonb(new) - v_follows) is distinct from (to_jsonb(old) - v_follows)
    or (old.pdf_key is not null and (new.pdf_key, new.pdf_sha256) is distinct from (old.pdf_key, old.pdf_sha256)
      and (new.pdf_key is not null or new.kind <> 'proforma' or old.invoice_status_id = new.invoice_status_id
        or new.invoice_status_id <> invoice_status('cancelled')))
    or (old.xml_key is not null and (new.xml_key, new.xml_sha256) is distinct from (old.xml_key, old.xml_sha256)
      and (new.xml_key is null or not exists (select from replaced_e_invoices r
        where r.invoice_id = old.id and r.xml_key = old.xml_key and r.xml_sha256 = old.xml_sha256)))
  then
    raise exception 'invoice_immutable: document % was issued', old.full_number using errcode = '55000';
  end if;
  return new;
end $$;
