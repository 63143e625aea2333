-- The cost of a quantity by tiers: each unit at the price of its tier.
create or replace function usage_tiers_amount(p_quantity numeric, p_tiers jsonb) returns numeric language sql immutable as $$
  select sum(greatest(least(p_quantity, coalesce(up_to, 'infinity')) - low, 0) * unit_price)
  from (
    select (tier ->> 'unit_price')::numeric as unit_price, (tier ->> 'up_to')::numeric as up_to,
      coalesce(lag((tier ->> 'up_to')::numeric) over (order by place), 0) as low
    from jsonb_array_elements(p_tiers) with ordinality x (tier, place)
  ) t
$$;
