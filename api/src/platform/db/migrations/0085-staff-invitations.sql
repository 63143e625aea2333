-- An invited member of staff has no account (`auth_id`) until the link of the letter is followed. The hash of the link
-- stays, so that a second use can be told from an unknown link.
alter table admins add column invite_hash bytea, add column invited_until timestamptz;
create unique index admins_invite_hash on admins (invite_hash);

-- Its text is in functions/admins_last.sql.
create function admins_last() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger admins_last after update of role, disabled_at, auth_id or delete on admins for each row
  when (old.role = 'admin' and old.disabled_at is null and old.auth_id is not null) execute function admins_last();
