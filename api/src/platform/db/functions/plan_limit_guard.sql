-- Limits of a plan that was offered only rise: buyers keep what they bought. No row is no limit.
create or replace function plan_limit_guard() returns trigger language plpgsql as $$
declare
  v_plan plans;
begin
  if tg_op = 'DELETE' then return old; end if;
  select * into v_plan from plans where id = new.plan_id for share;
  if v_plan.state <> 'draft' and (tg_op = 'INSERT' or new.plan_id <> old.plan_id or new.what <> old.what or new.amount < old.amount) then
    raise exception 'plan_limit_lowered' using errcode = '23514', constraint = 'plan_limit_lowered',
      detail = jsonb_build_object('plan', v_plan.code, 'limit', new.what)::text;
  end if;
  return new;
end $$;
