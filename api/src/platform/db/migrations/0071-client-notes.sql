-- What staff note about a client, for each other; the client never reads it.
create table client_notes (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  admin_id bigint not null references admins,
  body text not null check (length(body) between 1 and 4000),
  pinned boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index client_notes_by_client on client_notes (client_id, created_at desc, id desc);
create index client_notes_by_admin on client_notes (admin_id);
create trigger staff_note after insert or update or delete on client_notes for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
