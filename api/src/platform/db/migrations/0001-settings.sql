-- What one installation decides once and all its processes share, such as the key that signs its tokens.
create table settings (
  key text primary key,
  value jsonb not null
);
