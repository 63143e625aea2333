-- expand
-- What staff answered to a dispute, and when its provider had it; the provider takes one answer.
alter table payment_disputes
  add column answer text,
  add column answered_at timestamptz,
  add column answered_by bigint references admins;
