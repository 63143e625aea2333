-- expand
-- The links with which the first administrator of a new portal begins; only their hashes are stored.
create table setup_links (
  hash bytea primary key,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- A portal that has people is set up already. A new one is, once its first administrator has a second factor.
insert into settings (key, value)
  select 'set_up_at', to_jsonb(now()) where exists (select from clients) or exists (select from admins)
  on conflict (key) do nothing;
