-- A bill below zero is a credit note that corrects no single invoice.
alter table invoices drop constraint invoices_storno;
alter table invoices add constraint invoices_storno check (case
  when kind <> 'credit_note' then corrects_id is null and reason <> 'storno'
  when reason = 'service_bill' then corrects_id is null
  else reason = 'storno' and corrects_id is not null
end);
create unique index invoices_bill_of_month on invoices (client_id, period) where reason = 'service_bill';
