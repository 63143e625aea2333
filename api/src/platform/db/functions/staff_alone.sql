-- Whether an administrator is the only one, and has been for three days: a thief could disable the other one first.
create or replace function staff_alone(p_admin bigint) returns boolean language sql stable as $$
  select not exists (select from admins a where a.id <> p_admin
    and ((a.role = 'admin' and a.disabled_at is null) or a.rights_since > now() - interval '72 hours'))
$$;
