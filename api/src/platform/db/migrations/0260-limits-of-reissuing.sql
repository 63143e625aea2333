-- expand
-- Reissuing a deposit without VAT moves money of a client as a credit note does, so it has the same limits.
insert into staff_limits (role, verb, per_action, per_day)
select role, 'storno', per_action, per_day from staff_limits where verb = 'creditNote';
