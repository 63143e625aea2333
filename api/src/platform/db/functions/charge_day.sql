-- Charges a day for up to p_limit clients after the given one who are not locked by another run: those whose
-- engines have reported completely and whose hours of plans are counted, or everyone. Returns their ids. If a client is charged before an engine
-- has reported completely, each usage of that engine gets a `late_data` note, once; an engine that never
-- reports its progress is not considered late.
create or replace function charge_day(p_day date, p_after bigint, p_limit int, p_everyone boolean)
returns table (client_id bigint, amount numeric) language plpgsql as $$
#variable_conflict use_column
declare
  v_client bigint;
  v_amount numeric;
  v_over constant timestamptz := (p_day + 1)::timestamp at time zone 'utc';
  v_behind bigint[] := '{}';
  v_counted constant boolean := coalesce((select through >= (p_day + 1)::timestamp at time zone 'utc' from plan_watermark), false);
begin
  if p_everyone then
    v_behind := array(select w.panel_engine_id from engine_watermarks w where w.through < v_over);
  end if;
  for v_client in
    select d.client_id from usage_client_days d
    where d.usage_on = p_day and d.due and d.client_id > p_after
      and (p_everyone or not exists (
        select from usage_panel_days x
        join panels p on p.id = x.panel_id
        left join engine_watermarks w on w.panel_engine_id = p.panel_engine_id
        where x.client_id = d.client_id and x.usage_on = d.usage_on
          and (w.through is null or w.through < v_over
            or (not v_counted and exists (select from panel_plans h where h.panel_id = x.panel_id)))))
    order by d.client_id limit p_limit for update skip locked
  loop
    v_amount := charge_client_day(v_client, p_day);
    if v_amount <> 0 and cardinality(v_behind) > 0 then
      insert into usage_notes (usage_id, client_id, usage_on, kind, code)
        select u.id, v_client, p_day, 'late_data', 'charged_early'
        from usages u join panels p on p.id = u.panel_id
        where u.client_id = v_client and u.usage_on = p_day and p.panel_engine_id = any(v_behind)
          and not exists (select from usage_charges c where c.client_id = v_client and c.usage_on = p_day and c.seq > 1);
    end if;
    return query select v_client, v_amount;
  end loop;
end $$;
