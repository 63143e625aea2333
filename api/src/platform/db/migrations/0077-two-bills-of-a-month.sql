-- Lines outside the scope of VAT need a document of their own, so a month may have two.
alter table invoices add column bill_part smallint not null default 1 check (bill_part in (1, 2));
create unique index invoices_bills_of_month on invoices (client_id, period, bill_part) where reason = 'service_bill';
drop index invoices_bill_of_month;
drop index invoices_of_month;
