-- expand
-- The most that one person bills before a month ends, as for other invoices of staff.
insert into staff_limits (role, verb, per_action, per_day)
values ('billing', 'chargeOpenBill', 500, 2000), ('admin', 'chargeOpenBill', 5000, 20000);
