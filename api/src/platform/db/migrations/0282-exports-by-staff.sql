-- expand
-- Whether staff asked for the copy of a client's data, for the letter about it.
alter table data_exports add column by_staff boolean not null default false;
