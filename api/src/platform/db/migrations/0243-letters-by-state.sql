-- expand
-- Letters by the state that the desk filters by (api/src/desk/desk-letters.resource.ts).
create index concurrently outbox_letters_by_state on outbox_letters ((case
  when sent_at is not null then 'sent' when failed_at is null then 'waiting'
  when last_error is null then 'dropped' else 'failed' end), created_at, id);
