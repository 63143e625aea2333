-- expand
-- By itself, because the scan of all lines blocks no write.
alter table bank_lines validate constraint bank_lines_state_check;
