-- Plans of a blocked client's panels cost nothing, also of panels that were suspended before the block.
create trigger plan_follows_block after update of suspend_reason on panels for each row
  when (old.suspend_reason is distinct from new.suspend_reason and new.status = 'suspended' and new.plan_id is not null)
  execute function panel_plan_follows();
