-- expand
-- The action of staff, or of a command, under which a posting was made. Postings of before have none.
alter table ledger_transactions add column staff_action_id bigint;
alter table ledger_transactions add constraint ledger_transactions_staff_action
  foreign key (staff_action_id) references staff_actions (id) not valid;
