-- expand
-- A transfer recorded by hand is money that no statement has shown yet. In the operator's currency, changed at the desk.
insert into staff_limits (role, verb, per_action, per_day)
values ('billing', 'recordBankTransfer', 10000, 50000), ('admin', 'recordBankTransfer', 50000, 200000);
