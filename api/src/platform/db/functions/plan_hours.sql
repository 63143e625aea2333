-- The hours of panels' days by plan, as bits. An hour that two plans touch is the dearer's; of the same price, that of
-- the higher id. `charged` are those that have begun and are owed. `held` are all, the present plan until midnight: a day
-- is priced by them, so that they change with the history and never by time passing.
create or replace function plan_hours(p_panels bigint[], p_from date, p_to date, p_now timestamptz)
returns table (panel_id bigint, day date, plan_id bigint, held int, charged int, monthly numeric) language sql stable as $$
  with touching as (
    select h.panel_id, d.day, h.plan_id,
      bit_or(plan_slots(lower(h.during), upper(h.during), d.day, 24)) as held,
      bit_or(case when h.charged then plan_slots(lower(h.during), upper(h.during), d.day,
        floor(extract(epoch from p_now - utc_start(d.day)) / 3600)::int + 1) else 0 end) as charged,
      count(*) over (partition by h.panel_id, d.day) as plans
    from unnest(p_panels) k (panel_id)
    join panel_plans h on h.panel_id = k.panel_id and lower(h.during) <= p_now and lower(h.during) < utc_start(p_to + 1)
      and coalesce(upper(h.during), 'infinity') > utc_start(p_from)
    cross join lateral (
      select x::date as day
      from generate_series(greatest(p_from, (lower(h.during) at time zone 'utc')::date)::timestamp,
        least(p_to::timestamp, coalesce(upper(h.during), 'infinity') at time zone 'utc'), interval '1 day') x
    ) d
    where h.during && tstzrange(utc_start(d.day), utc_start(d.day + 1))
    group by h.panel_id, d.day, h.plan_id
  ), priced as (
    select t.panel_id, t.day, t.plan_id, t.held, t.charged, m.monthly
    from touching t
    left join lateral (
      select x.monthly from panels p
      join clients c on c.id = p.client_id
      join currencies cur on cur.id = c.currency_id
      cross join lateral plan_price(p.client_id, cur.code, t.plan_id, t.day) x
      where p.id = t.panel_id and t.plans > 1
    ) m on true
  )
  select panel_id, day, plan_id, held & ~coalesce(bit_or(held) over dearer, 0),
    charged & ~coalesce(bit_or(charged) over dearer, 0), monthly
  from priced
  window dearer as (partition by panel_id, day order by monthly desc nulls first, plan_id desc
    rows between unbounded preceding and 1 preceding)
$$;
