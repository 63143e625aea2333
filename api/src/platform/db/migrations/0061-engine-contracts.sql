-- The version of the contract that an engine said it speaks; what said nothing speaks 1.0.
alter table panel_engines add column contract varchar(8) not null default '1.0';
