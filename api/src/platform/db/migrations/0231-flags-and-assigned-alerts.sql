-- expand
-- What staff mark a client with, for each other, and who looks after an alert.
alter table clients add column flags text[] not null default '{}'
  check (flags <@ array['vip', 'partner', 'pays_late', 'watch', 'test']);
create index clients_flagged on clients using gin (flags) where flags <> '{}';
alter table staff_alerts add column assigned_admin_id bigint references admins;
create index staff_alerts_by_assignee on staff_alerts (assigned_admin_id) where assigned_admin_id is not null;
