-- Rates of VAT are edited in the desk: with reduced rates, which no hosting service has, and the source of each row.
alter table vat_rates
  add column reduced numeric(4, 2)[] not null default '{}',
  add column source text not null default '',
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now();
create index vat_rates_by_country on vat_rates (country, region);

-- Reduced rates that changed in 2026 begin a row of their own; the standard rate is the same before and after.
with changed (country, on_day) as (values ('FI', date '2026-01-01'), ('LT', date '2026-01-01'), ('AT', date '2026-07-01')),
  ended as (
    update vat_rates r set valid = daterange(lower(r.valid), c.on_day) from changed c
    where r.country = c.country and r.region = '' and upper_inf(r.valid) and lower(r.valid) < c.on_day
    returning r.country, r.rate, c.on_day
  )
insert into vat_rates (country, valid, rate) select country, daterange(on_day, null), rate from ended;

update vat_rates r set reduced = k.reduced::numeric(4, 2)[], source = k.source
from (values
  ('AT', '', '{13,10,4.9}', 'UStG §10; 4,9 %: 2026-07-01'), ('AT', 'kleinwalsertal', '{}', 'UStG §10(4)'),
  ('BE', '', '{12,6}', 'TEDB'), ('BG', '', '{9}', 'TEDB'), ('CY', '', '{9,5,3}', 'TEDB'), ('CZ', '', '{12}', 'TEDB'),
  ('DE', '', '{7}', 'UStG §12'), ('DK', '', '{}', 'TEDB'), ('EE', '', '{13,9}', 'KMS §15, RT I 2025'),
  ('ES', '', '{10,4}', 'Ley 37/1992, art. 90-91'), ('FI', '', '{13.5,10}', 'AVL 84-85a § (2026-01-01)'),
  ('FR', '', '{10,5.5,2.1}', 'CGI, art. 278-281'), ('GR', '', '{13,6}', 'TEDB'), ('HR', '', '{13,5}', 'TEDB'),
  ('HU', '', '{18,5}', 'TEDB'), ('IE', '', '{13.5,9,4.8}', 'VATCA 2010, s. 46'), ('IT', '', '{10,5,4}', 'DPR 633/1972, art. 16'),
  ('LT', '', '{12,5}', 'PVMĮ 19 str. (2026-01-01)'), ('LU', '', '{14,8,3}', 'TEDB'), ('LV', '', '{12,5}', 'TEDB'),
  ('MT', '', '{12,7,5}', 'TEDB'), ('NL', '', '{9}', 'TEDB'), ('PL', '', '{8,5}', 'TEDB'), ('PT', '', '{13,6}', 'CIVA, art. 18'),
  ('PT', 'azores', '{9,4}', 'CIVA, art. 18'), ('PT', 'madeira', '{12,4}', 'CIVA, art. 18'),
  ('RO', '', '{11}', 'Cod fiscal, art. 291 (Legea 141/2025)'), ('SE', '', '{12,6}', 'TEDB'), ('SI', '', '{9.5,5}', 'TEDB'),
  ('SK', '', '{19,5}', 'Zákon 222/2004, §27')
) k (country, region, reduced, source)
where r.country = k.country and r.region = k.region and upper_inf(r.valid);

create trigger staff_note after insert or update or delete on vat_rates for each row
  when (nullif(current_setting('portico.staff', true), '') is not null) execute function staff_note();
create trigger touch before update on vat_rates for each row execute function touch();
