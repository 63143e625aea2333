-- The keys by which programs act for a client, and what a client is told of what happened.
create table api_keys (
  -- A ULID.
  id text primary key check (id ~ '^[0-9A-HJKMNP-TV-Z]{26}$'),
  client_id bigint not null references clients,
  project_id bigint,
  name varchar(60) not null check (length(btrim(name)) >= 1),
  prefix varchar(12) not null,
  -- SHA-256 of the key, which is 32 random bytes: there is nothing to guess that a slow hash would protect.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  -- Without host bits, and IPv4 never in its IPv6-mapped form: as `storedNetwork` writes them.
  allowed_ips inet[] not null check (cardinality(allowed_ips) between 1 and 50),
  scopes text[] not null check (cardinality(scopes) >= 1),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A key is limited to a workspace of its owner or to none.
  constraint api_key_of_owner foreign key (project_id, client_id) references projects (id, client_id)
);
create index api_keys_by_age on api_keys (client_id, created_at, id);
-- What a key was last used for changes nothing of the key itself.
create trigger touch before update of name, allowed_ips, revoked_at on api_keys for each row execute function touch();

-- What a client is told of in the portal; the words are the browser's. What it is about is in `params`, as it was then.
create table notifications (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  kind text not null check (kind in
    ('invoice_issued', 'payment_failed', 'ticket_answered', 'panel_degraded', 'invitation_accepted')),
  -- The id of what it leads to; of what type that is, the kind says.
  about_id bigint,
  params jsonb not null default '{}',
  read_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index notifications_by_age on notifications (client_id, created_at desc, id desc);
create index notifications_unread on notifications (client_id) where read_at is null;
create trigger touch before update on notifications for each row execute function touch();
