-- What lacks a price from a day on without end: for each default price list the fee, and each meter of engines, of every
-- plan that is offered or that a panel has.
create or replace function price_gaps(p_from date) returns table (currency char(3), plan text, what text) language sql stable as $$
  with sold as (
    select p.id, p.code from plans p
    where p.state = 'offered' or exists (select from panel_plans h where h.plan_id = p.id and upper_inf(h.during))
  )
  select l.currency, s.code, 'fee' from price_lists l, sold s
  where l.is_default and not coalesce((select range_agg(x.valid) @> daterange(p_from, null) from plan_prices x
    where x.price_list_id = l.id and x.plan_id = s.id), false)
  union all
  select l.currency, s.code, m.code from price_lists l, sold s, meters m
  where l.is_default and not m.by_portal and not coalesce((select range_agg(x.valid) @> daterange(p_from, null) from prices x
    where x.price_list_id = l.id and x.resource_kind = '' and x.meter_id = m.id and (x.plan_id is null or x.plan_id = s.id)), false)
  order by 1, 2, 3
$$;
