-- What a person takes with them, which letters they want, and how an account ends.

-- A copy of everything that is kept of a client, made by a job; the file is there for a few days.
create table data_exports (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'ready', 'failed')),
  -- Files of the archive: those that are in it, and how many there will be; 0 until that is known.
  done int not null default 0 check (done between 0 and total),
  total int not null default 0,
  file_key text,
  size bigint,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  constraint data_exports_ready
    check ((status = 'ready') = (file_key is not null and size is not null and expires_at is not null)),
  check ((status in ('ready', 'failed')) = (finished_at is not null))
);
create index data_exports_of_client on data_exports (client_id, id desc);
create index data_exports_by_end on data_exports (expires_at) where expires_at is not null;
-- One at a time: making one reads all that there is.
create unique index data_exports_once on data_exports (client_id) where status in ('waiting', 'running');

alter table clients
  -- The kinds of letters that the person does without; those about safety are not among them.
  add column mail_off text[] not null default '{}' check (cardinality(mail_off) <= 20),
  -- When the person closed the account, and when what is not kept by law was taken out of it.
  add column closed_at timestamptz,
  add column erased_at timestamptz,
  add constraint clients_closed check (closed_at is null or status = 4),
  add constraint clients_erased check (erased_at is null or closed_at is not null);
create index clients_to_erase on clients (closed_at) where closed_at is not null and erased_at is null;

alter table ticket_ticket_emails
  -- Who had the address told; null when it was staff, or is not known. What a guest added ends with what is open to them.
  add column added_by bigint references clients;

-- What was begun before an account was closed does not end in it afterwards: whoever comes second waits, and is told to begin
-- anew, which they cannot any more.
create function refuse_closed() returns trigger language plpgsql as $$
begin
  if (select closed_at from clients where id = new.client_id for key share) is not null then
    raise exception 'the account is closed' using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
create trigger refuse_closed before insert on panels for each row execute function refuse_closed();
create trigger refuse_closed before insert on payments for each row execute function refuse_closed();
create trigger refuse_closed before insert on api_keys for each row execute function refuse_closed();
create trigger refuse_closed before insert on cards for each row execute function refuse_closed();
