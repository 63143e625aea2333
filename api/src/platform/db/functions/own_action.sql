-- Writes an action without a person into the log of staff; from now on the changes of this transaction are noted under it.
create or replace function own_action(p_why text, p_origin text) returns bigint language plpgsql as $$
declare
  v_action bigint;
begin
  if p_why is null or length(btrim(p_why)) not between 3 and 300 then
    raise exception 'staff_reason_length: say why in 3 to 300 characters' using errcode = '22023';
  end if;
  insert into staff_actions (origin, caller, verb, type, reason, request_id, ip)
  values (p_origin, concat_ws(', ', session_user, nullif(nullif(current_setting('application_name'), ''), session_user)), 'write', 'database',
    btrim(p_why), 'transaction ' || pg_current_xact_id(), inet_client_addr())
  returning id into v_action;
  perform set_config('portico.action', v_action::text, true);
  return v_action;
end $$;
