-- Nothing is sent twice under one number: a document whose outcome is not known, or that was rejected, waits again by a person's
-- decision alone. What is settled stays; of a rejected document that waits again, the former sending is kept first.
create or replace function e_invoice_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state = 'accepted'
    or (new.environment, new.invoice_id) is distinct from (old.environment, old.invoice_id)
    or (old.state = 'rejected' and (new.state <> 'waiting' or not exists (select from replaced_e_invoices r
      where r.invoice_id = old.invoice_id and r.environment = old.environment
        and (r.settled_at, r.upload_index, r.signed_key) is not distinct from (old.settled_at, old.upload_index, old.signed_key))))
    or (old.xml_sha256 is not null and new.xml_sha256 is distinct from old.xml_sha256 and not exists (
      select from replaced_e_invoices r where r.invoice_id = old.invoice_id and r.xml_sha256 = old.xml_sha256))
    or (old.state <> new.state and (old.state, new.state) not in (('waiting', 'sending'), ('waiting', 'rejected'),
      ('sending', 'waiting'), ('sending', 'sent'), ('sending', 'unknown'), ('unknown', 'sent'), ('unknown', 'waiting'), ('sent', 'accepted'),
      ('sent', 'rejected'), ('sent', 'unknown'), ('rejected', 'waiting')))
    or (old.state in ('unknown', 'rejected') and new.state = 'waiting' and nullif(current_setting('portico.staff', true), '') is null)
  then
    raise exception 'e_invoice_fixed: document % from % to %', old.invoice_id, old.state, new.state using errcode = '55000';
  end if;
  if new.upload_index is distinct from old.upload_index and exists (select from replaced_e_invoices r
    where r.environment = new.environment and r.upload_index = new.upload_index)
  then
    raise exception 'e_invoice_index: % is of an earlier sending', new.upload_index using errcode = '23505';
  end if;
  return new;
end $$;
