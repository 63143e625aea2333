-- expand
-- Who last took back that a line is no client's, or a colleague's match of it, and so does not decide about much money of it alone.
alter table bank_lines add column undone_by bigint references admins;
