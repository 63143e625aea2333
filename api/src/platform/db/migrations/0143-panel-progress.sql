-- expand
-- How far an engine of contract 1.1 is with making a panel, and where people sign in to it when it makes no links.
alter table panels add column progress smallint check (progress between 0 and 100);
alter table panels add column login_url text;
