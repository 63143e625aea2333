-- expand
-- A login is a client's or one of staff, never both (decision 0234). The foreign keys hold it, whatever writes.
alter table auth_accounts add column kind text not null default 'client' check (kind in ('client', 'staff')),
  add constraint auth_accounts_kind unique (id, kind);
-- Also a first administrator who was replaced before they had a second factor: their login is in the log alone.
update auth_accounts a set kind = 'staff'
  where exists (select from admins m where m.auth_id = a.id)
    or exists (select from auth_events e where e.account_id = a.id and e.kind = 'staff-added');
alter table admins add column kind text not null default 'staff' check (kind = 'staff'),
  add constraint admins_login foreign key (auth_id, kind) references auth_accounts (id, kind);

-- The row of staff in clients keeps their name and language while older versions read them there. What is left of a trial
-- goes back by the job that ends credit, through the ledger.
alter table clients add column kind text not null default 'client' check (kind in ('client', 'staff'));
update clients c set kind = 'staff', trial_ends_at = null, trial_credit_due = false
  from auth_accounts a where a.id = c.auth_id and a.kind = 'staff';
update promo_grants g set expires_on = clock_today() from clients c
  where c.id = g.client_id and c.kind = 'staff' and g.ended_on is null and g.expires_on > clock_today();
update account_balances b set evaluate_due = true from clients c where c.id = b.client_id and c.kind = 'staff';
update client_features f set enabled = false from clients c
  where c.id = f.client_id and c.kind = 'staff' and f.feature = 'trial';
update automated_billing_rules r set enabled = false, status = 'off' from clients c
  where c.id = r.client_id and c.kind = 'staff' and r.enabled;
update api_keys k set revoked_at = now() from clients c
  where c.id = k.client_id and c.kind = 'staff' and k.revoked_at is null;
alter table clients add constraint clients_login foreign key (auth_id, kind) references auth_accounts (id, kind) on update cascade not valid,
  add constraint clients_staff_no_trial check (kind = 'client' or trial_ends_at is null and not trial_credit_due) not valid;

-- Their texts are in functions/.
create function admins_login() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger admins_login before insert or update of auth_id on admins for each row
  when (new.auth_id is not null) execute function admins_login();
create function clients_kind() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger clients_kind before insert or update of auth_id on clients for each row
  when (new.auth_id is not null) execute function clients_kind();
create function refuse_staff() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger refuse_staff before insert on panels for each row execute function refuse_staff('client_id');
create trigger refuse_staff before insert on api_keys for each row execute function refuse_staff('client_id');
create trigger refuse_staff before insert on payments for each row execute function refuse_staff('client_id');
create trigger refuse_staff before insert on promo_grants for each row execute function refuse_staff('client_id');
create trigger refuse_staff before insert on tickets for each row execute function refuse_staff('client_id');
create trigger refuse_staff before insert on automated_billing_rules for each row execute function refuse_staff('client_id');
create trigger refuse_staff before insert on share_permissions for each row execute function refuse_staff('inviting_client_id');
create trigger refuse_staff_guest before insert or update of invited_client_id on share_permissions for each row
  when (new.invited_client_id is not null) execute function refuse_staff('invited_client_id');
