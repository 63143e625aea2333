-- expand
-- In a migration of its own, since it reads all clients, and 0418 keeps everybody from signing in while it runs.
alter table clients validate constraint clients_login, validate constraint clients_staff_no_trial;
