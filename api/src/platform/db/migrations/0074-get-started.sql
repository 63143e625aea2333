-- Whether the dashboard shows the first steps; set for those who register, until they hide them.
alter table clients add column get_started boolean not null default false;
