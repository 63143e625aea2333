create or replace function invoice_status(p_code text) returns bigint language sql stable strict as
  'select id from invoice_statuses where code = p_code';
