-- Each person keeps addresses of their own in an account's book, so that a guest learns of no others and changes none.
alter table ticket_emails
  -- Null: it was given up by a guest while tickets were using it. The owner keeps it.
  add column added_by bigint references clients;
update ticket_emails set added_by = client_id;

create function own_ticket_email() returns trigger language plpgsql as $$
begin
  new.added_by := coalesce(new.added_by, new.client_id);
  return new;
end $$;
create trigger own before insert on ticket_emails for each row execute function own_ticket_email();

-- The name stays: older replicas insert by it.
alter table ticket_emails
  drop constraint ticket_emails_once,
  add constraint ticket_emails_once unique (client_id, email, added_by);
create index ticket_emails_by_adder on ticket_emails (added_by, client_id);
