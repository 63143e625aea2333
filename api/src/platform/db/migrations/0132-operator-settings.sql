-- expand
-- Settings that administrators enter at the desk where no variable of the server sets them. Secrets are sealed. What the
-- server sets is noted by each start, so that the desk shows it; its secrets are not.
create table operator_settings (
  id bigint generated always as identity primary key,
  key text not null unique,
  value text,
  sealed bytea,
  -- Grows with each change, so that every process notices it.
  version int not null default 0,
  by_server boolean not null default false,
  server_value text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (value is null or sealed is null)
);

create trigger touch before update on operator_settings for each row execute function touch();
create trigger staff_note after insert or update or delete on operator_settings for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();

insert into operator_settings (key) values
  ('SMTP_URL'), ('MAIL_FROM'), ('REPLY_ADDRESS'), ('IMAP_URL'), ('MAIL_INBOUND_SECRET'), ('MAIL_AUTHSERV_ID'),
  ('STRIPE_SECRET_KEY'), ('STRIPE_PUBLISHABLE_KEY'), ('STRIPE_WEBHOOK_SECRET');
