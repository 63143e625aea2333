-- Assigns a number and a date to a draft, from the active series of its kind. The lock on the series is held
-- until the commit: numbers follow the order of commits, a rollback returns the number, and dates never go
-- backwards. Returns the number.
create or replace function invoice_issue(p_id bigint, p_on date, p_status text) returns text language plpgsql as $$
declare
  v_invoice invoices;
  v_prefix text;
  v_series bigint;
  v_number bigint;
  v_net numeric;
  v_full text;
begin
  select * into v_invoice from invoices where id = p_id for update;
  if not found or v_invoice.issued_at is not null then
    raise exception 'invoice_issued: document % is issued or not there', p_id using errcode = 'IN001';
  end if;
  select sum(net) into v_net from invoice_lines where invoice_id = p_id;
  if v_net is distinct from v_invoice.net
    or (select row(sum((g ->> 'net')::numeric), sum((g ->> 'vat')::numeric)) from jsonb_array_elements(v_invoice.vat_groups) g)
      is distinct from row(v_invoice.net, v_invoice.vat)
  then
    raise exception 'invoice_sums: document % does not add up', p_id using errcode = '23514';
  end if;
  if v_invoice.kind = 'proforma' then
    update proforma_series set next_number = next_number + 1, last_issue_date = p_on
      where active and coalesce(last_issue_date <= p_on, true)
      returning id, prefix, next_number - 1 into v_series, v_prefix, v_number;
  else
    update invoice_series set next_number = next_number + 1, last_issue_date = p_on
      where active and kind = v_invoice.kind and coalesce(last_issue_date <= p_on, true)
      returning id, prefix, next_number - 1 into v_series, v_prefix, v_number;
  end if;
  if v_number is null then
    raise exception 'invoice_series_closed: no series of % takes the day %', v_invoice.kind, p_on using errcode = 'IN002';
  end if;
  update invoices set prefix = v_prefix, number = v_number, issue_date = p_on, issued_at = clock_now(),
      invoice_status_id = invoice_status(p_status),
      series_id = case when kind <> 'proforma' then v_series end,
      proforma_series_id = case when kind = 'proforma' then v_series end
    where id = p_id returning full_number into v_full;
  return v_full;
end $$;
