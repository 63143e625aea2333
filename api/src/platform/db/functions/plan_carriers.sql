-- The engines that make panels of a plan now, the default one first: up, still listing their name for the plan, and able to
-- take the domain that it needs.
create or replace function plan_carriers(p_plan bigint)
returns table (panel_engine_id bigint, engine_plan text, regions text[], place bigint) language sql stable as $$
  select e.panel_engine_id, e.engine_plan, e.regions, row_number() over (order by g.is_default desc, g.id)
  from plan_engines e
  join panel_engines g on g.id = e.panel_engine_id
  join plans p on p.id = e.plan_id
  where e.plan_id = p_plan and g.disabled_at is null and g.health <> 'down'
    and g.capabilities -> 'plans' ? e.engine_plan::text
    and (not p.needs_domain or coalesce(
      (select d ->> 'domain' from jsonb_array_elements(g.capabilities -> 'plan_details') d where d ->> 'code' = e.engine_plan limit 1),
      g.capabilities ->> 'domain', 'none') <> 'none')
$$;
