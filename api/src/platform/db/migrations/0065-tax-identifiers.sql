-- VAT numbers are kept in the tax offices' form, and as they were typed beside it.
alter table client_entities
  add column vat_number_typed varchar(20),
  -- The tax number of a company that is not registered for VAT.
  add column registration_number varchar(20);
alter table register_details add column registration_number varchar(20);

update client_entities set vat_number = nullif(btrim(vat_number), ''), commerce_code = nullif(btrim(commerce_code), '')
where btrim(vat_number) = '' or btrim(commerce_code) = '';

update client_entities e set vat_number = k.number, vat_number_typed = e.vat_number
from (
  select t.id, case when starts_with(t.plain, t.prefix) then t.plain
    else t.prefix || regexp_replace(t.plain, '^' || t.code, '') end as number
  from (
    select o.id, c.code, case c.code when 'GR' then 'EL' else c.code end as prefix,
      upper(regexp_replace(o.vat_number, '[^A-Za-z0-9]', '', 'g')) as plain
    from client_entities o join countries c on c.id = o.country_id and c.is_eu
  ) t where t.plain <> ''
) k
where k.id = e.id and k.number <> e.vat_number and length(k.number) <= 20;
