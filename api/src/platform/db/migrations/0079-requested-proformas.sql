-- A card may pay a proforma that was requested before. It outlives a refused payment, after which it can be paid again.
alter table payments add column keeps_proforma boolean not null default false;
create unique index payments_one_going_of_proforma on payments (proforma_id)
  where provider <> 'bank' and status not in ('failed', 'canceled');
drop index payments_one_of_proforma;
