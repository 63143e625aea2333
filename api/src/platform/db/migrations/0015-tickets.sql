-- Questions to the operator: who answers them, what was said, and the files and addresses that belong to them.
create extension if not exists pg_trgm;

create table ticket_departments (
  id bigint generated always as identity primary key,
  code text not null unique check (code in ('technical', 'billing', 'sales', 'abuse')),
  name_en text not null,
  name_ro text not null,
  position int not null,
  -- Its tickets are seen by those who see the billing of the account.
  requires_billing boolean not null default false,
  first_response_minutes int not null check (first_response_minutes > 0),
  office_hours boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch before update on ticket_departments for each row execute function touch();
insert into ticket_departments
  (code, name_en, name_ro, position, requires_billing, first_response_minutes, office_hours) values
  ('technical', 'Technical support', 'Suport tehnic', 1, false, 240, false),
  ('billing', 'Billing', 'Facturare', 2, true, 480, true),
  ('sales', 'Sales', 'Vânzări', 3, false, 480, true),
  ('abuse', 'Abuse reports', 'Raportare abuzuri', 4, false, 240, false);

-- Their ids are what the states are called by in SQL (contract/src/rules/ticket-states.ts has them in this order).
create table ticket_statuses (
  id bigint primary key,
  code text not null unique,
  name_en text not null,
  name_ro text not null
);
insert into ticket_statuses (id, code, name_en, name_ro) values
  (1, 'open', 'Open', 'Deschis'),
  (2, 'awaiting_staff', 'Awaiting our answer', 'Așteaptă răspunsul nostru'),
  (3, 'awaiting_client', 'Awaiting your answer', 'Așteaptă răspunsul dumneavoastră'),
  (4, 'on_hold', 'On hold', 'În așteptare'),
  (5, 'resolved', 'Resolved', 'Rezolvat'),
  (6, 'closed', 'Closed', 'Închis');

-- What people call a ticket tells nothing of how many there are. Letters and digits that are not taken for each other.
create function new_ticket_number() returns text language plpgsql volatile as $$
declare
  made text;
begin
  loop
    select 'T-' || string_agg(substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + get_byte(bytes, n) % 32, 1), '')
      into made from (select uuid_send(gen_random_uuid()) as bytes) random, unnest('{0,1,2,3,4,5,9,10}'::int[]) n;
    exit when not exists (select from tickets where number = made);
  end loop;
  return made;
end $$;

create table tickets (
  id bigint generated always as identity primary key,
  number text not null unique default new_ticket_number(),
  client_id bigint not null references clients,
  opened_by_client_id bigint not null references clients,
  panel_id bigint references panels,
  ticket_department_id bigint not null references ticket_departments,
  ticket_status_id bigint not null default 1 references ticket_statuses,
  priority smallint not null default 2 check (priority between 1 and 4),
  subject varchar(160) not null check (length(btrim(subject)) >= 1),
  assigned_admin_id bigint references admins,
  client_unread boolean not null default false,
  first_response_due timestamptz not null,
  first_responded_at timestamptz,
  resolved_at timestamptz,
  closed_at timestamptz,
  last_message_at timestamptz not null default now(),
  last_message_by text not null default 'client' check (last_message_by in ('client', 'staff')),
  follows_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, client_id),
  -- A ticket goes on with one of the same account only.
  constraint ticket_follows_own foreign key (follows_id, client_id) references tickets (id, client_id),
  check ((ticket_status_id = 6) = (closed_at is not null))
);
create trigger touch before update on tickets for each row execute function touch();
-- A person's lists are of one account.
create index tickets_by_message on tickets (client_id, last_message_at, id);
create index tickets_by_age on tickets (client_id, created_at, id);
create index tickets_by_priority on tickets (client_id, priority, id);
create index tickets_by_status on tickets (client_id, ticket_status_id, last_message_at, id);
create index tickets_by_panel on tickets (panel_id, last_message_at, id);
create index tickets_unread on tickets (client_id, client_unread, last_message_at, id);
create index tickets_by_opener on tickets (opened_by_client_id, created_at);
-- Those of staff are of all accounts.
create index tickets_queue on tickets (last_message_at, id);
create index tickets_queue_by_age on tickets (created_at, id);
create index tickets_queue_by_priority on tickets (priority, id);
create index tickets_queue_by_status on tickets (ticket_status_id, last_message_at, id);
create index tickets_queue_by_department on tickets (ticket_department_id, last_message_at, id);
create index tickets_by_assignee on tickets (assigned_admin_id, last_message_at, id) where assigned_admin_id is not null;
create index tickets_by_words on tickets using gin (lower(subject) gin_trgm_ops);
create index tickets_resolved on tickets (resolved_at) where ticket_status_id = 5;
create index on tickets (follows_id) where follows_id is not null;

create table ticket_emails (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  email citext not null check (length(email) <= 254),
  name varchar(80),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, client_id),
  constraint ticket_emails_once unique (client_id, email)
);
create index ticket_emails_by_age on ticket_emails (client_id, created_at, id);
create trigger touch before update on ticket_emails for each row execute function touch();

create table ticket_ticket_emails (
  id bigint generated always as identity primary key,
  client_id bigint not null,
  ticket_id bigint not null,
  ticket_email_id bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint ticket_ticket_emails_once unique (ticket_id, ticket_email_id),
  foreign key (ticket_id, client_id) references tickets (id, client_id),
  -- Both are of one account, whoever writes this.
  constraint ticket_email_of_account foreign key (ticket_email_id, client_id)
    references ticket_emails (id, client_id) on delete cascade
);
create index ticket_ticket_emails_by_age on ticket_ticket_emails (client_id, created_at, id);
create index on ticket_ticket_emails (ticket_email_id);
create trigger touch before update on ticket_ticket_emails for each row execute function touch();

create table ticket_messages (
  id bigint generated always as identity primary key,
  ticket_id bigint not null,
  client_id bigint not null,
  author_client_id bigint references clients,
  author_admin_id bigint references admins,
  -- What an address that is told of answers is called that wrote back; it may be taken from the ticket later.
  author_email text,
  body text not null check (length(body) between 1 and 20000),
  visibility text not null default 'public' check (visibility in ('public', 'internal')),
  source text not null default 'web' check (source in ('web', 'mail', 'system')),
  -- Of the mail that it came by: the same mail is one message, however often it is handed over.
  mail_message_id text unique,
  rating text check (rating in ('good', 'bad')),
  rating_comment varchar(500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, ticket_id),
  foreign key (ticket_id, client_id) references tickets (id, client_id),
  constraint one_author check (num_nonnulls(author_client_id, author_admin_id, author_email)
    = case source when 'system' then 0 else 1 end),
  check (rating is null or author_admin_id is not null),
  -- Clients write nothing that they could not read.
  check (visibility = 'public' or (author_client_id is null and author_email is null))
);
create index ticket_messages_by_ticket on ticket_messages (ticket_id, id);
create index ticket_messages_by_age on ticket_messages (client_id, created_at, id);
create index ticket_messages_by_admin on ticket_messages (author_admin_id, client_id) where author_admin_id is not null;
create trigger touch before update on ticket_messages for each row execute function touch();

create table ticket_files (
  id bigint generated always as identity primary key,
  -- Whose account it counts for: its uploader's, then the ticket's. None of what staff has not sent yet.
  client_id bigint references clients,
  ticket_id bigint,
  ticket_message_id bigint,
  uploaded_by_client_id bigint references clients,
  uploaded_by_admin_id bigint references admins,
  filename varchar(200) not null check (length(filename) >= 1),
  mime text not null,
  size bigint not null check (size > 0),
  sha256 bytea not null,
  -- Random; nothing of where a file lies follows from what it is called.
  storage_key text not null unique,
  scan_status text not null check (scan_status in ('clean', 'skipped', 'infected')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (ticket_message_id, ticket_id) references ticket_messages (id, ticket_id),
  check (num_nonnulls(uploaded_by_client_id, uploaded_by_admin_id) <= 1)
);
create index ticket_files_by_ticket on ticket_files (ticket_id, id);
create index ticket_files_by_message on ticket_files (ticket_message_id, id);
create index ticket_files_by_age on ticket_files (client_id, created_at, id);
create index ticket_files_by_name on ticket_files (client_id, filename, id);
create index ticket_files_by_size on ticket_files (client_id, size, id);
create index ticket_files_alone on ticket_files (created_at) where ticket_id is null;
create trigger touch before update on ticket_files for each row execute function touch();

-- A file goes to where its message is, counts for that account, and stays.
create function place_ticket_file() returns trigger language plpgsql as $$
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
create trigger place before insert or update of ticket_id, ticket_message_id on ticket_files
  for each row execute function place_ticket_file();

-- A member of staff signs in with an account of the portal that is named here; whoever does is staff and nothing else.
alter table admins add column auth_id uuid unique references auth_accounts;
