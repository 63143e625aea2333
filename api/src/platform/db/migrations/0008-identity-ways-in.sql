-- The other ways in: a second factor, passkeys, accounts elsewhere; and what happened to any of them.

-- When the person last proved who they are in this session: by signing in, or by confirming it later.
alter table auth_sessions add column authenticated_at timestamptz;
update auth_sessions set authenticated_at = created_at;
alter table auth_sessions alter column authenticated_at set not null;
-- The browser it was opened in, when that browser is known: the hash of its device cookie.
alter table auth_sessions add column device_hash bytea;

-- A link that was followed is remembered until it would have expired: whoever follows it again is told so.
alter table auth_one_time add column used_at timestamptz;

create table auth_totp (
  account_id uuid primary key references auth_accounts on delete cascade,
  -- Sealed; readable only with the token secret. Null while two-factor authentication is off and nobody is setting it up.
  secret_sealed bytea,
  enabled_at timestamptz,
  -- The last time step that was accepted: a code counts once. The row stays when it is turned off, so that this does too.
  last_step bigint not null default 0,
  check (enabled_at is null or secret_sealed is not null)
);

create table auth_recovery_codes (
  -- Of the account and the code together.
  code_hash bytea primary key,
  account_id uuid not null references auth_accounts on delete cascade,
  used_at timestamptz
);
create index on auth_recovery_codes (account_id);

create table auth_passkeys (
  id bigint generated always as identity primary key,
  credential_id text not null unique,
  account_id uuid not null references auth_accounts on delete cascade,
  name varchar(60) not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index on auth_passkeys (account_id);

create table auth_identities (
  id bigint generated always as identity primary key,
  issuer text not null,
  subject text not null,
  account_id uuid not null references auth_accounts on delete cascade,
  -- As the issuer told it last; it moves nothing here.
  email text not null,
  created_at timestamptz not null,
  unique (issuer, subject)
);
create index on auth_identities (account_id);

-- Browsers in which somebody has signed in to an account before: tries from there are counted apart, so that nobody can
-- lock an owner out by guessing.
create table auth_devices (
  device_hash bytea not null,
  account_id uuid not null references auth_accounts on delete cascade,
  last_seen_at timestamptz not null,
  primary key (account_id, device_hash)
);
create index on auth_devices (last_seen_at);

-- What a person reads in the security log, and what support is asked about. Never changed.
create table auth_events (
  id bigint generated always as identity primary key,
  account_id uuid not null references auth_accounts on delete cascade,
  kind text not null,
  at timestamptz not null,
  ip inet,
  user_agent text,
  about text
);
create index on auth_events (account_id, id desc);
create index on auth_events (at);
