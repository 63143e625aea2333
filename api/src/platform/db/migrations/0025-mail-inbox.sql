-- Mail that came for tickets, as it came, and what became of it. Its Message-ID makes it one, however often it is handed over.
create table mail_inbox (
  id bigint generated always as identity primary key,
  -- Of the delivery; the same delivery is kept once.
  delivery_id text unique,
  message_id text unique,
  raw bytea not null,
  state text not null default 'waiting' check (state in ('waiting', 'posted', 'unverified', 'ignored')),
  -- Why it was not posted, for whoever looks into it; nothing of what it says.
  reason text,
  ticket_id bigint references tickets,
  ticket_message_id bigint references ticket_messages,
  created_at timestamptz not null default now(),
  processed_at timestamptz
);
create index on mail_inbox (created_at);
