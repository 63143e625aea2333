-- expand
-- Filters of the list of clients that a member of staff keeps under a name, for themselves.
create table desk_views (
  id bigint generated always as identity primary key,
  admin_id bigint not null references admins,
  name text not null check (length(name) between 1 and 60),
  filter jsonb not null check (jsonb_typeof(filter) = 'object'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index desk_views_named on desk_views (admin_id, lower(name));
create trigger staff_note after insert or update or delete on desk_views for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();

-- Lists of clients that administrators asked for as CSV. The file itself is written while it is downloaded.
create table client_exports (
  id bigint generated always as identity primary key,
  admin_id bigint not null references admins,
  filter jsonb not null check (jsonb_typeof(filter) = 'object'),
  -- How many clients there were when it was asked for.
  count int not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index client_exports_by_admin on client_exports (admin_id);
create trigger staff_note after insert or update or delete on client_exports for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();

-- Documents of all clients in a period, which a job packs into one file. The rows stay when the file is gone.
create table document_archives (
  id bigint generated always as identity primary key,
  admin_id bigint not null references admins,
  from_day date not null,
  to_day date not null,
  format text not null check (format in ('pdf', 'xml')),
  status text not null default 'waiting' check (status in ('waiting', 'running', 'ready', 'failed', 'removed')),
  done int not null default 0,
  total int not null default 0,
  -- Documents whose file is damaged or missing, which the archive names.
  lacking int not null default 0,
  file_key text,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint document_archives_period check (from_day <= to_day),
  constraint document_archives_ready check ((status = 'ready') = (file_key is not null and size is not null and expires_at is not null))
);
create index document_archives_by_admin on document_archives (admin_id);
create index document_archives_by_end on document_archives (expires_at) where expires_at is not null;
-- One file at a time for each person.
create unique index document_archives_once on document_archives (admin_id) where status in ('waiting', 'running');
create trigger touch before update on document_archives for each row execute function touch();
create trigger staff_note after insert or update or delete on document_archives for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
