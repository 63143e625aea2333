-- Staff are no customers: what is left of a trial goes back by the job that ends credit, through the ledger.
create or replace function is_staff(p_client bigint) returns boolean language sql stable as $$
  select exists (select from clients c join admins a on a.auth_id = c.auth_id where c.id = p_client)
$$;
