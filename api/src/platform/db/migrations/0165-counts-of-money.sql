-- expand
-- How many documents and payments of all clients there are, by what the desk lists them by. Triggers only add rows, so that
-- nobody waits for another, and a job adds rows of the same key up (api/src/money/merge-counts.ts).
create table document_counts (
  id bigint generated always as identity primary key,
  issue_date date not null,
  -- Lists ask for documents that are issued; others are not counted.
  issued_at date not null generated always as (issue_date) stored,
  kind text not null,
  invoice_status_id bigint not null,
  currency char(3) not null,
  many bigint not null,
  net numeric(24, 6) not null,
  vat numeric(24, 6) not null,
  total numeric(24, 6) not null,
  open numeric(24, 6) not null
);
create index document_counts_by_day on document_counts (issue_date);

create table payment_counts (
  id bigint generated always as identity primary key,
  -- The beginning of the UTC day.
  created_at timestamptz not null,
  status text not null,
  many bigint not null
);
create index payment_counts_by_day on payment_counts (created_at);

create function invoice_open(p_invoice invoices) returns numeric language sql stable as $$
  select case when p_invoice.kind = 'credit_note' or s.code in ('cancelled', 'expired', 'refunded') then 0
    else greatest(p_invoice.total - p_invoice.paid - p_invoice.credited, 0) end
  from invoice_statuses s where s.id = p_invoice.invoice_status_id
$$;

create function invoice_counted(p_invoice invoices, p_by int) returns void language sql as $$
  insert into document_counts (issue_date, kind, invoice_status_id, currency, many, net, vat, total, open)
  values (p_invoice.issue_date, p_invoice.kind, p_invoice.invoice_status_id, p_invoice.currency, p_by, p_by * p_invoice.net,
    p_by * p_invoice.vat, p_by * p_invoice.total, p_by * invoice_open(p_invoice))
$$;

create function invoices_count() returns trigger language plpgsql as $$
begin
  if old.issued_at is not null then perform invoice_counted(old, -1); end if;
  perform invoice_counted(new, 1);
  return null;
end $$;

create function payments_count() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into payment_counts (created_at, status, many) values (date_trunc('day', old.created_at, 'UTC'), old.status, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into payment_counts (created_at, status, many) values (date_trunc('day', new.created_at, 'UTC'), new.status, 1);
  end if;
  return null;
end $$;

-- A document is issued by a change, and its amounts stay from then on.
create trigger count after update on invoices for each row
  when (new.issued_at is not null and (old.issued_at, old.invoice_status_id, old.paid, old.credited)
    is distinct from (new.issued_at, new.invoice_status_id, new.paid, new.credited))
  execute function invoices_count();
create trigger count after insert or delete on payments for each row execute function payments_count();
create trigger recount after update on payments for each row
  when ((old.created_at, old.status) is distinct from (new.created_at, new.status)) execute function payments_count();

-- Whoever changes documents or payments waits meanwhile, so that none is missed.
insert into document_counts (issue_date, kind, invoice_status_id, currency, many, net, vat, total, open)
select i.issue_date, i.kind, i.invoice_status_id, i.currency, count(*), sum(i.net), sum(i.vat), sum(i.total), sum(invoice_open(i))
from invoices i where i.issued_at is not null group by 1, 2, 3, 4;
insert into payment_counts (created_at, status, many)
select date_trunc('day', created_at, 'UTC'), status, count(*) from payments group by 1, 2;
