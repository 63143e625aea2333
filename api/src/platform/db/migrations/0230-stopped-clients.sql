-- expand
-- Since when staff hold all panels of a client stopped; meanwhile none is added.
alter table clients add column stopped_at timestamptz;
