-- Charging: a posting is checked by its key whatever a plan was made for. The check runs at the commit, with a plan that stays
-- for as long as a connection does: one made while there were no entries reads all of them for each posting when there are many.
alter function ledger_assert_balanced() set enable_seqscan = off;

-- A row that is changed all the time costs least where the new one fits beside the old.
alter table ledger_accounts set (fillfactor = 70);
alter table account_balances set (fillfactor = 70);
