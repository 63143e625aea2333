-- expand
-- The address of a member of staff is that of their account. Changes of the account's did not reach it.
-- An invitation to such an address can no longer be accepted.
update admins m set email = m.id || '@released.invalid', invite_hash = null, invited_until = null
  where m.auth_id is null and exists (
    select from admins s join auth_accounts a on a.id = s.auth_id where a.email::citext = m.email);
-- In two steps, because one member may have the former address of another.
update admins m set email = m.id || '@moved.invalid' from auth_accounts a
  where a.id = m.auth_id and a.email::citext <> m.email;
update admins m set email = a.email from auth_accounts a
  where a.id = m.auth_id and m.email = (m.id || '@moved.invalid')::citext;
