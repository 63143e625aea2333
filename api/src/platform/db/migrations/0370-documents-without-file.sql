-- expand
-- Invoices and credit notes that have no electronic invoice, because they violate a rule: few, and looked for each hour.
create index concurrently invoices_without_xml on invoices (id) where kind <> 'proforma' and pdf_key is not null and xml_key is null;
