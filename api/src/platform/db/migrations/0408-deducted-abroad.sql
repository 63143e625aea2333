-- expand
-- What a bill takes back of an advance that was taxed abroad is declared for the quarter of the advance. The next run of the job
-- computes the days of such bills again.
update report_days set stale = true, made_at = null where day in (
  select i.tax_point_date from invoices i, jsonb_array_elements(i.vat_groups) g
  where i.issued_at is not null and i.corrects_id is null and (g ->> 'net')::numeric < 0 and g ->> 'category' = 'S'
    and g ->> 'country' <> i.seller ->> 'country'
);
