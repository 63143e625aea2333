-- expand
-- The day by which documents are declared to the one-stop shop, where that is not the day of their tax point. The release before this one
-- leaves it empty.
alter table report_vat add column declared_on date;

-- The next run of the job computes the days again whose documents were issued after their return was due.
update report_days set stale = true, made_at = null where day in (
  select tax_point_date from invoices where issue_date >= date_trunc('quarter', tax_point_date) + interval '4 months');
