-- expand
-- Who accepted which terms of service, since they are asked again when a new version applies.
create table terms_acceptances (
  client_id bigint not null references clients on delete cascade,
  version varchar(20) not null,
  accepted_at timestamptz not null default now(),
  primary key (client_id, version)
);
