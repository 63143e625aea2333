-- expand
-- The last moment at which the provider takes evidence, as it says.
alter table payment_disputes add column answer_by timestamptz;
