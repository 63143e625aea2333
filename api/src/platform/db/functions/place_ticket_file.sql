-- A file takes the account and ticket of its message, counts for that account, and stays with the message.
create or replace function place_ticket_file() returns trigger language plpgsql as $$
declare
  v_ticket bigint;
  v_client bigint;
begin
  if new.ticket_message_id is not null then
    select ticket_id, client_id into strict v_ticket, v_client from ticket_messages where id = new.ticket_message_id;
  elsif new.ticket_id is not null then
    select id, client_id into strict v_ticket, v_client from tickets where id = new.ticket_id;
  else
    v_client := new.client_id;
  end if;
  -- Its message may have moved to another ticket, which this update follows.
  if tg_op = 'UPDATE' and old.ticket_message_id is not null
      and (new.ticket_message_id, new.ticket_id) is distinct from (old.ticket_message_id, v_ticket) then
    raise exception 'the file belongs to a message' using errcode = 'check_violation', constraint = 'ticket_file_stays';
  end if;
  new.ticket_id := v_ticket;
  new.client_id := v_client;
  return new;
end $$;
