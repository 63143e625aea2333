-- Nothing is sent twice under one number: a document whose outcome is not known waits again by a person's decision alone,
-- and what is settled stays.
create or replace function e_invoice_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state in ('accepted', 'rejected')
    or (new.environment, new.invoice_id) is distinct from (old.environment, old.invoice_id)
    or (old.xml_sha256 is not null and new.xml_sha256 is distinct from old.xml_sha256)
    or (old.state <> new.state and (old.state, new.state) not in (('waiting', 'sending'), ('waiting', 'rejected'),
      ('sending', 'waiting'), ('sending', 'sent'), ('sending', 'unknown'), ('unknown', 'sent'), ('unknown', 'waiting'), ('sent', 'accepted'),
      ('sent', 'rejected'), ('sent', 'unknown')))
    or (old.state = 'unknown' and new.state = 'waiting' and nullif(current_setting('portico.staff', true), '') is null)
  then
    raise exception 'e_invoice_fixed: document % from % to %', old.invoice_id, old.state, new.state using errcode = '55000';
  end if;
  return new;
end $$;
