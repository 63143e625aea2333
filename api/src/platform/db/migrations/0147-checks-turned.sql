-- expand
-- When a check that was well began to fail; null for one that is well, or never was.
alter table checks add column turned_at timestamptz;
