-- A plan keeps its code, is never a draft again, and only drafts can be deleted.
create or replace function plan_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'plan_kept' using errcode = '23514', constraint = 'plan_kept', detail = old.code;
    end if;
    return old;
  end if;
  if new.code <> old.code or (new.state = 'draft' and old.state <> 'draft') then
    raise exception 'plan_kept' using errcode = '23514', constraint = 'plan_kept', detail = old.code;
  end if;
  return new;
end $$;
