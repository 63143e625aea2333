-- Who may sign in, what they are signed in with, and what is remembered of attempts. No secret is readable here:
-- passwords as argon2id, refresh tokens and one-time codes as SHA-256.
create table auth_accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) <= 254),
  -- What sign-in looks up: the address without the differences that do not count.
  email_key text not null unique,
  password_hash text,
  verified_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch before update on auth_accounts for each row execute function touch();

alter table clients add foreign key (auth_id) references auth_accounts;

create table auth_sessions (
  -- The `sid` of its access tokens.
  id uuid primary key,
  account_id uuid not null references auth_accounts on delete cascade,
  -- How the person proved who they are (RFC 8176).
  amr text[] not null,
  ip inet,
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text,
  check ((revoked_at is null) = (revoke_reason is null))
);
create index on auth_sessions (account_id);
create index on auth_sessions (expires_at);

create table auth_refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references auth_sessions on delete cascade,
  generation int not null,
  used_at timestamptz,
  -- A token has one successor: a family cannot fork, whatever runs at once.
  unique (session_id, generation)
);
create index on auth_refresh_tokens (used_at) where used_at is not null;

create table auth_one_time (
  token_hash bytea primary key,
  purpose text not null,
  account_id uuid references auth_accounts on delete cascade,
  data jsonb not null default '{}',
  expires_at timestamptz not null
);
create index on auth_one_time (expires_at);
create index on auth_one_time (account_id);

create table auth_throttle (
  -- A keyed hash of what is counted: people type passwords into the field for the e-mail.
  key bytea primary key,
  fails int not null,
  window_start timestamptz not null,
  blocked_until timestamptz,
  -- How often in a row it was blocked; each block is twice as long as the one before.
  blocks int not null default 0
);
create index on auth_throttle (greatest(window_start, blocked_until));
