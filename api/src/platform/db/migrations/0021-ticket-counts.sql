-- How many tickets there are, kept with them by everything that a list narrows them to and that is not a word or a day: the
-- total of a list does not take longer the more tickets there are.
create table ticket_counts (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  opened_by_client_id bigint not null references clients,
  panel_id bigint references panels,
  ticket_department_id bigint not null references ticket_departments,
  ticket_status_id bigint not null references ticket_statuses,
  client_unread boolean not null,
  many bigint not null check (many >= 0),
  constraint ticket_counts_once unique nulls not distinct
    (client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, client_unread)
);
create index on ticket_counts (panel_id) where panel_id is not null;
create index on ticket_counts (opened_by_client_id);

create function ticket_counted(p_ticket tickets, p_by int) returns void language sql as $$
  insert into ticket_counts as c
    (client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, client_unread, many)
  values (p_ticket.client_id, p_ticket.opened_by_client_id, p_ticket.panel_id, p_ticket.ticket_department_id,
    p_ticket.ticket_status_id, p_ticket.client_unread, greatest(p_by, 0))
  on conflict on constraint ticket_counts_once do update set many = c.many + p_by
$$;

create function tickets_count() returns trigger language plpgsql as $$
begin
  -- Two tickets of an account that change places would otherwise wait for each other's counts.
  perform pg_advisory_xact_lock(21, (coalesce(new.client_id, old.client_id) % 2147483647)::int);
  if tg_op <> 'INSERT' then perform ticket_counted(old, -1); end if;
  if tg_op <> 'DELETE' then perform ticket_counted(new, 1); end if;
  return null;
end $$;
create trigger count after insert or delete on tickets for each row execute function tickets_count();
create trigger recount after update on tickets for each row
  when ((old.client_id, old.opened_by_client_id, old.panel_id, old.ticket_department_id, old.ticket_status_id,
      old.client_unread)
    is distinct from (new.client_id, new.opened_by_client_id, new.panel_id, new.ticket_department_id,
      new.ticket_status_id, new.client_unread))
  execute function tickets_count();

insert into ticket_counts
  (client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, client_unread, many)
select client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, client_unread, count(*)
from tickets group by 1, 2, 3, 4, 5, 6;

-- The one filter of a person's list that had no index.
create index tickets_by_department on tickets (client_id, ticket_department_id, last_message_at, id);
