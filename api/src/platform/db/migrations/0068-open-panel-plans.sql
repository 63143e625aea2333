-- The check of missing prices asks which plans panels have, and runs for each price that an import writes.
create index panel_plans_open on panel_plans (plan_id) where upper_inf(during);
