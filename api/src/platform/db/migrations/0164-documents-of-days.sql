-- expand
-- What the documents of each day add up to: VAT by tax point, or by the UTC day of the posting for what is posted, and sales by
-- the day of the document. They can be deleted as everything of `report_days`.
create table report_vat (
  day date not null references report_days on delete cascade,
  country text,
  category text,
  rate numeric,
  currency char(3) not null,
  local_currency char(3),
  -- For a country other than that of the seller.
  abroad boolean not null,
  -- The quarter of the tax point of the document that a credit note corrects; otherwise that of the day.
  of_quarter text not null,
  documents int not null,
  net numeric(24, 6) not null,
  vat numeric(24, 6) not null,
  net_local numeric(24, 6) not null,
  vat_local numeric(24, 6) not null,
  -- The VAT of documents that were issued on this day.
  posted numeric(24, 6) not null
);
create index report_vat_by_day on report_vat (day);

create table report_sales (
  day date not null references report_days on delete cascade,
  currency char(3) not null,
  invoices int not null,
  credit_notes int not null,
  net numeric(24, 6) not null,
  vat numeric(24, 6) not null,
  total numeric(24, 6) not null,
  primary key (day, currency)
);

-- The next run of the job computes every day again.
update report_days set stale = true, made_at = null;
