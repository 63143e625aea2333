-- Makes the login of a new member of staff one of staff, for good: no client has it any more. A login whose client has
-- something of a customer's is refused; API keys, which act for a client, end. The lock waits for what is just being
-- written, and `refuse_staff` meets the change.
create or replace function admins_login() returns trigger language plpgsql as $$
declare
  v_client bigint;
begin
  perform from auth_accounts where id = new.auth_id for update;
  if exists (select from auth_accounts where id = new.auth_id and kind = 'staff') then return new; end if;
  select id into v_client from clients where auth_id = new.auth_id for update;
  if is_customer(v_client) then
    raise exception 'staff_no_customer: client %', v_client using errcode = '23514', constraint = 'staff_no_customer';
  end if;
  perform trial_drop(v_client);
  update api_keys set revoked_at = now() where client_id = v_client and revoked_at is null;
  -- The foreign key takes the row of clients along.
  update auth_accounts set kind = 'staff' where id = new.auth_id;
  return new;
end $$;
