-- Whether letters about documents carry their files. Accounts of before keep the letters that they know until somebody chooses.
alter table client_entities add column attach_invoices boolean not null default false;
alter table client_entities alter column attach_invoices set default true;
