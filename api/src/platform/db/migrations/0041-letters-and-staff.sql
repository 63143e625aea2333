-- Letters about what happened are never left out: beyond so many an hour to one address they leave later.
alter table outbox_letters add column send_at timestamptz not null default now();
update outbox_letters set send_at = created_at;
-- How many of one kind an address got of late, however it was typed, and when the last of them leave.
drop index outbox_letters_lower_created_at_idx;
create index on outbox_letters (lower(recipient), kind, send_at desc);
-- How many letters of some kinds were written of late, whatever the close of a month writes beside them.
create index on outbox_letters (kind, created_at);

-- Whoever is of staff reaches everybody, so a password alone does not do. Those who were there before are left as they are.
alter table admins add column totp_required boolean not null default false;
alter table admins alter column totp_required set default true;
