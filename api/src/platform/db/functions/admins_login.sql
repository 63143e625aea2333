-- Marks the login of a new member of staff as one of staff, permanently. Refuses one whose client `is_customer`, and revokes
-- its API keys. The locks wait for what is being written at that moment; later writes are refused by `refuse_staff`.
create or replace function admins_login() returns trigger language plpgsql as $$
declare
  v_client bigint;
begin
  perform from auth_accounts where id = new.auth_id for update;
  if exists (select from auth_accounts where id = new.auth_id and kind = 'staff') then return new; end if;
  select id into v_client from clients where auth_id = new.auth_id for update;
  if is_customer(v_client) then
    raise exception 'staff_account_in_use: client %', v_client using errcode = '23514', constraint = 'staff_account_in_use';
  end if;
  perform trial_drop(v_client);
  update api_keys set revoked_at = now() where client_id = v_client and revoked_at is null;
  -- The foreign key takes the row of clients along.
  update auth_accounts set kind = 'staff' where id = new.auth_id;
  return new;
end $$;
