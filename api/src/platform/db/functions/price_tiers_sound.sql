-- Tiers ascend, each with a price, and the last is open-ended: [{"up_to": "100", "unit_price": "0.02"},
-- {"unit_price": "0.01"}].
create or replace function price_tiers_sound(p_tiers jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(p_tiers) = 'array' and jsonb_array_length(p_tiers) between 1 and 20 and (
    select bool_and((t.unit_price >= 0 and t.unit_price < 10000) is true
      and case when t.place = jsonb_array_length(p_tiers) then t.up_to is null else (t.up_to > t.before) is true end)
    from (
      select place, (tier ->> 'unit_price')::numeric as unit_price, (tier ->> 'up_to')::numeric as up_to,
        coalesce(lag((tier ->> 'up_to')::numeric) over (order by place), 0) as before
      from jsonb_array_elements(p_tiers) with ordinality x (tier, place)
    ) t
  )
$$;
