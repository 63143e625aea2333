-- Mail that is to be sent, written in the transaction of the fact that it tells of. What it says may hold a link that
-- opens an account, so it is sealed, and removed once it was sent (a demo keeps it for its outbox page).
create table outbox_letters (
  id bigint generated always as identity primary key,
  -- The same at every try, so that a server that got it twice can tell.
  message_id text not null unique,
  recipient text not null check (length(recipient) <= 254),
  language text not null,
  kind text not null,
  -- The letter as JSON, sealed; null when it is not needed any more.
  sealed bytea,
  created_at timestamptz not null default now(),
  attempts int not null default 0,
  last_error text,
  sent_at timestamptz,
  failed_at timestamptz,
  check (sent_at is null or failed_at is null)
);
create index on outbox_letters (created_at);
-- How many one address got of late, however it was typed.
create index on outbox_letters (lower(recipient), created_at);
-- Those that wait, and those that were given up.
create index on outbox_letters (failed_at) where sent_at is null;
