-- Notes the change of one row under an action: the columns that differ, and of what is sealed or hashed only that it did.
create or replace function staff_note_change(p_action bigint, p_table text, p_op text, p_before jsonb, p_after jsonb)
  returns void language plpgsql as $$
begin
  update staff_actions a set client_id = c.id
  from clients c
  where a.id = p_action and a.client_id is null and c.id = (case when p_table = 'clients'
    then coalesce(p_after, p_before) ->> 'id' else coalesce(p_after, p_before) ->> 'client_id' end)::bigint;
  -- A new row is noted whole, which is most of what staff write at once; only one with a secret is looked through.
  if p_op = 'INSERT' and p_after::text not like '%"\\\\x%' then
    insert into staff_action_changes (action_id, table_name, row_id, op, after)
    values (p_action, p_table, p_after ->> 'id', 'insert', p_after);
    return;
  end if;
  insert into staff_action_changes (action_id, table_name, row_id, op, before, after)
  select p_action, p_table, coalesce(p_after, p_before) ->> 'id', lower(p_op),
    jsonb_object_agg(k, case when is_secret then '"changed"' else p_before -> k end) filter (where p_before ? k),
    jsonb_object_agg(k, case when is_secret then '"changed"' else p_after -> k end) filter (where p_after ? k)
  from (select k from jsonb_object_keys(coalesce(p_after, p_before)) k where p_before -> k is distinct from p_after -> k offset 0) d,
    lateral (select coalesce(p_before ->> k ~ '^\\x', false) or coalesce(p_after ->> k ~ '^\\x', false) as is_secret) s
  having count(*) > 0;
end $$;
