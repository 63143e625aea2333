-- The plans that panels of clients have or had, deleted ones included: bills name them.
create or replace function plans_held(p_clients bigint[]) returns setof bigint language sql stable as $$
  select p.plan_id from panels p where p.client_id = any (p_clients) and p.plan_id is not null
  union
  select h.plan_id from panel_plans h join panels p on p.id = h.panel_id where p.client_id = any (p_clients)
$$;
