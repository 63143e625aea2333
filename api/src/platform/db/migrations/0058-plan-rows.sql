-- Plans and prices as the API serves them: days and moments in columns of their own, and the owner of each row.
create view panel_plan_rows as
  select h.id, p.client_id, p.project_id, h.panel_id, h.plan_id, lower(h.during) as starts_at, upper(h.during) as ends_at,
    h.charged
  from panel_plans h join panels p on p.id = h.panel_id
  where p.deleted_at is null;

create view plan_price_rows as
  select x.id, x.price_list_id, x.plan_id, l.currency, x.monthly, lower(x.valid) as valid_from, upper(x.valid) as valid_to
  from plan_prices x join price_lists l on l.id = x.price_list_id;

create view price_rows as
  select x.id, x.price_list_id, x.plan_id, m.code as meter, m.unit, x.resource_kind, l.currency,
    x.unit_price, x.included_per_day, x.tiers, lower(x.valid) as valid_from, upper(x.valid) as valid_to
  from prices x join price_lists l on l.id = x.price_list_id join meters m on m.id = x.meter_id;

-- The plans of an account's panels, which its prices are read with.
create index panels_by_plan on panels (client_id, plan_id) where plan_id is not null;
create index client_price_lists_by_list on client_price_lists (price_list_id);
