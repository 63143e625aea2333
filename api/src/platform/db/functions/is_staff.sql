-- Whether the client is a member of staff. Staff are no customers; the job for expiring credit returns the
-- rest of their trial through the ledger.
create or replace function is_staff(p_client bigint) returns boolean language sql stable as $$
  select exists (select from clients c where c.id = p_client and c.kind = 'staff')
$$;
