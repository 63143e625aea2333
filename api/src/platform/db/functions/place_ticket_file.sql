-- A file takes the account and ticket of its message, counts for that account, and stays there.
create or replace function place_ticket_file() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.ticket_message_id is not null then
    raise exception 'the file belongs to a message' using errcode = 'check_violation', constraint = 'ticket_file_stays';
  end if;
  if new.ticket_message_id is not null then
    select ticket_id, client_id into strict new.ticket_id, new.client_id
      from ticket_messages where id = new.ticket_message_id;
  elsif new.ticket_id is not null then
    select client_id into strict new.client_id from tickets where id = new.ticket_id;
  end if;
  return new;
end $$;
