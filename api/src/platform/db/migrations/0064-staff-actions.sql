-- What staff did, why, and which rows it changed. Both tables only grow.
create table staff_actions (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  admin_id bigint not null references admins,
  -- The action or write, its type, and the row: a key of the type.
  verb text not null,
  type text not null,
  ref text,
  client_id bigint references clients,
  reason text not null check (length(btrim(reason)) between 3 and 300),
  request_id text not null,
  ip inet,
  -- A row that this action changes is changed in the same transaction.
  xid xid8 not null default pg_current_xact_id()
);
create index staff_actions_by_client on staff_actions (client_id, id) where client_id is not null;
create index staff_actions_by_admin on staff_actions (admin_id, id);

create table staff_action_changes (
  id bigint generated always as identity primary key,
  action_id bigint not null references staff_actions,
  table_name text not null,
  row_id text,
  op text not null check (op in ('insert', 'update', 'delete')),
  -- Only the columns that differ; of what is sealed or hashed only that it did.
  before jsonb,
  after jsonb
);
create index staff_action_changes_by_action on staff_action_changes (action_id, id);

-- Their texts are in db/functions.
create function staff_note() returns trigger language plpgsql as $$ begin return null; end $$;
create function staff_log_frozen() returns trigger language plpgsql as $$ begin return new; end $$;

create trigger frozen before update or delete on staff_actions for each row execute function staff_log_frozen();
create trigger never_emptied before truncate on staff_actions for each statement execute function staff_log_frozen();
create trigger frozen before update or delete on staff_action_changes for each row execute function staff_log_frozen();
create trigger never_emptied before truncate on staff_action_changes for each statement
  execute function staff_log_frozen();

-- Every table that a write of staff may reach notes what the write changed, and refuses one without an action.
do $$
declare
  v_table text;
begin
  foreach v_table in array array[
    'admins', 'api_keys', 'automated_billing_rules', 'canned_answers', 'cards', 'client_entities', 'client_features',
    'client_panels', 'clients', 'data_exports', 'invoice_lines', 'invoices', 'notifications', 'panels', 'payment_disputes',
    'payment_refunds', 'payments', 'projects', 'promo_grants', 'register_details', 'setup_intents', 'share_invitations', 'share_permissions', 'sso_grants', 'staff_accesses',
    'staff_alerts', 'ticket_emails', 'ticket_files', 'ticket_messages', 'ticket_ticket_emails', 'tickets']
  loop
    execute format('create trigger staff_note after insert or update or delete on %I for each row
      when (nullif(current_setting(''portico.staff'', true), '''') is not null) execute function staff_note()', v_table);
  end loop;
end $$;
