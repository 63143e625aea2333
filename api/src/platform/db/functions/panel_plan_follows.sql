-- Keeps the history of a panel's plan with its status: begins when the engine has made the panel, ends when its deletion
-- is asked, and is charged while suspended only by the policy of that day. Of two changes at one instant the second
-- replaces the first.
create or replace function panel_plan_follows() returns trigger language plpgsql
-- Plans are cached per connection: one made while the table is empty would scan all of it once it is full.
set enable_seqscan = off as $$
declare
  v_open panel_plans;
  v_at timestamptz := clock_now();
  v_plan bigint := case when new.status not in ('deleting', 'deleted') then new.plan_id end;
  v_charged boolean;
begin
  select * into v_open from panel_plans where panel_id = new.id and upper_inf(during);
  -- Until the engine has made it, and while it is said to have failed, nothing changes but a plan that is wished.
  if v_plan is not null and new.status in ('provisioning', 'error') and (v_open.id is null or v_open.plan_id = v_plan) then
    return null;
  end if;
  v_charged := case new.status when 'suspended' then (select suspended_fee = 'goes_on' from billing_policies)
    when 'error' then coalesce(v_open.charged, true) else true end;
  -- A row that was suspended by another policy keeps it.
  if new.status = 'suspended' and tg_op = 'UPDATE' then
    if old.status = 'suspended' then v_charged := coalesce(v_open.charged, v_charged); end if;
    if new.suspend_reason = 'blocked' then v_charged := false; end if;
  end if;
  if (v_open.plan_id, v_open.charged) is not distinct from (v_plan, case when v_plan is not null then v_charged end) then
    return null;
  end if;
  if v_open.id is not null then
    -- A transaction that began earlier and waited for the panel comes later all the same.
    v_at := greatest(v_at, lower(v_open.during));
    if v_at = lower(v_open.during) then
      delete from panel_plans where id = v_open.id;
    else
      update panel_plans set during = tstzrange(lower(during), v_at) where id = v_open.id;
    end if;
  end if;
  if v_plan is not null then
    insert into panel_plans (panel_id, plan_id, during, charged) values (new.id, v_plan, tstzrange(v_at, null), v_charged);
  end if;
  return null;
end $$;
