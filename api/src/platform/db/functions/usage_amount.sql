-- What a quantity costs: what is included in a day is free, the rest has one price or goes through the tiers; half a
-- millionth is rounded up. Never below zero: a correction takes back at most what there was. Without a query of its own it
-- becomes a part of the one that calls it.
create or replace function usage_amount(p_quantity numeric, p_included numeric, p_unit_price numeric, p_tiers jsonb)
returns numeric language sql immutable as $$
  select round(case when p_tiers is null then greatest(p_quantity - p_included, 0) * p_unit_price
    else usage_tiers_amount(greatest(p_quantity - p_included, 0), p_tiers) end, 6)
$$;
