-- What owners open of their accounts to others: permissions, the invitations that lead to them, and each guest's list of
-- the panels that are open to them.
create type allow as enum ('denied', 'allowed');
create type access_level as enum ('none', 'custom', 'all');

create table share_permissions (
  id bigint generated always as identity primary key,
  inviting_client_id bigint not null references clients,
  -- Null until the invitation is accepted.
  invited_client_id bigint references clients,
  billing allow not null default 'denied',
  tickets allow not null default 'denied',
  my_workspaces allow not null default 'allowed',
  add_panels allow not null default 'denied',
  delete_panels allow not null default 'denied',
  workspace_resources access_level not null default 'all',
  account_access access_level not null default 'all',
  domain_access access_level not null default 'all',
  create_domains allow not null default 'denied',
  create_email allow not null default 'denied',
  create_dev_env allow not null default 'denied',
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, inviting_client_id),
  constraint share_not_with_oneself check (inviting_client_id <> invited_client_id)
);
create unique index share_permissions_once on share_permissions (inviting_client_id, invited_client_id)
  where revoked_at is null;
create index share_permissions_of_guest on share_permissions (invited_client_id) where revoked_at is null;
create index share_permissions_by_age on share_permissions (inviting_client_id, created_at, id) where revoked_at is null;
create trigger touch before update on share_permissions for each row execute function touch();

-- Only workspaces of the inviting client can stand here, whoever writes them.
create table share_permission_workspaces (
  permission_id bigint not null,
  client_id bigint not null,
  project_id bigint not null,
  selected boolean not null,
  show_workspace boolean not null,
  access_type access_level not null,
  add_panels allow not null,
  delete_panels allow not null,
  primary key (permission_id, project_id),
  foreign key (permission_id, client_id) references share_permissions (id, inviting_client_id) on delete cascade,
  foreign key (project_id, client_id) references projects (id, client_id)
);

create table share_permission_panels (
  permission_id bigint not null,
  project_id bigint not null,
  panel_id bigint not null references panels,
  primary key (permission_id, panel_id),
  foreign key (permission_id, project_id) references share_permission_workspaces on delete cascade
);
create index on share_permission_panels (panel_id);

create table share_permission_domains (
  permission_id bigint not null references share_permissions on delete cascade,
  domain_id bigint not null references panel_resources,
  primary key (permission_id, domain_id)
);

create table share_invitations (
  id bigint generated always as identity primary key,
  permission_id bigint not null unique,
  client_id bigint not null,
  first_name varchar(80) not null,
  last_name varchar(80) not null,
  full_name text not null generated always as (first_name || ' ' || last_name) stored,
  invited_email citext not null check (length(invited_email) <= 254),
  -- SHA-256 of the token in the link of the last mail; null until the first is written.
  token_hash bytea unique,
  last_sent_at timestamptz not null,
  link_expires_at timestamptz not null,
  accepted boolean not null default false,
  accepted_at timestamptz,
  accepted_by_client_id bigint references clients,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint share_invitations_once unique (client_id, invited_email),
  foreign key (permission_id, client_id) references share_permissions (id, inviting_client_id) on delete cascade,
  check (accepted = (accepted_by_client_id is not null) and accepted = (accepted_at is not null))
);
create index share_invitations_by_age on share_invitations (client_id, created_at, id);
create index on share_invitations (accepted_by_client_id);
create trigger touch before update on share_invitations for each row execute function touch();

-- What an owner had sent to an address in the last day: removing an invitation must not be a way around the limit.
create table share_invitation_mails (
  client_id bigint not null references clients,
  invited_email citext not null,
  sent_at timestamptz not null
);
create index on share_invitation_mails (client_id, sent_at);

-- A guest's settings for the panels that are open to them. It opens nothing: what is visible is decided by the views below.
create table client_panels (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients,
  owner_id bigint not null,
  share_permission_id bigint not null,
  panel_id bigint not null references panels,
  hidden boolean not null default false,
  position int not null default 0,
  last_connected_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (client_id, share_permission_id, panel_id),
  foreign key (share_permission_id, owner_id) references share_permissions (id, inviting_client_id) on delete cascade
);
create index client_panels_by_position on client_panels (client_id, position, id);
create index on client_panels (share_permission_id);
create index on client_panels (panel_id);
create trigger touch before update on client_panels for each row execute function touch();

-- The one place that says what a permission opens (the rules of contract/src/rules/permissions.ts, in SQL): every
-- workspace that it shows, and what may be done there. Whether it was accepted, and whether it has expired, is asked by
-- whoever reads this.
create view shared_workspaces as
select s.id as permission_id, s.inviting_client_id as owner_id, s.invited_client_id as guest_id, w.id as project_id,
  s.workspace_resources,
  case s.workspace_resources when 'all' then 'all' else e.access_type end as access_type,
  s.add_panels = 'allowed' and coalesce(e.add_panels = 'allowed', true) as add_panels,
  s.delete_panels = 'allowed' and coalesce(e.delete_panels = 'allowed', true) as delete_panels,
  s.domain_access
from share_permissions s
join projects w on w.client_id = s.inviting_client_id and w.archived_at is null
left join share_permission_workspaces e on e.permission_id = s.id and e.project_id = w.id
where s.revoked_at is null and s.my_workspaces = 'allowed'
  and (s.workspace_resources = 'all'
    or (s.workspace_resources = 'custom' and e.selected and e.show_workspace and e.access_type <> 'none'));

-- And every panel. One that was listed in another workspace than it is in now is not.
create view shared_panels as
select v.*, p.id as panel_id
from shared_workspaces v
join panels p on p.project_id = v.project_id and p.deleted_at is null
where v.access_type = 'all'
  or exists (
    select from share_permission_panels x
    where x.permission_id = v.permission_id and x.project_id = v.project_id and x.panel_id = p.id
  );
