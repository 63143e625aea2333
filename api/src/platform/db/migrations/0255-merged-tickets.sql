-- expand
-- Tickets that were merged into another one of the same account. Their messages and files are in that one.
alter table tickets
  add column merged_into_id bigint,
  add constraint ticket_merged_own foreign key (merged_into_id, client_id) references tickets (id, client_id),
  add constraint ticket_merged_closed check (merged_into_id is null or (ticket_status_id = 6 and merged_into_id <> id));
create index tickets_merged on tickets (merged_into_id) where merged_into_id is not null;

-- A message that moves takes its files with it.
alter table ticket_files
  drop constraint ticket_files_ticket_message_id_ticket_id_fkey,
  add constraint ticket_files_ticket_message_id_ticket_id_fkey foreign key (ticket_message_id, ticket_id)
    references ticket_messages (id, ticket_id) on update cascade not valid;
alter table ticket_files validate constraint ticket_files_ticket_message_id_ticket_id_fkey;
