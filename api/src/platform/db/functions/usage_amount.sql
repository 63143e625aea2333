-- The cost of a quantity: the included daily quantity is free, the rest has one price or goes through the
-- tiers; half a millionth is rounded up. Never below zero: a correction returns at most what was charged.
-- Written as one expression so that PostgreSQL inlines it into the caller.
create or replace function usage_amount(p_quantity numeric, p_included numeric, p_unit_price numeric, p_tiers jsonb)
returns numeric language sql immutable as $$
  select round(case when p_tiers is null then greatest(p_quantity - p_included, 0) * p_unit_price
    else usage_tiers_amount(greatest(p_quantity - p_included, 0), p_tiers) end, 6)
$$;
