import { sharePermissions } from '@portico/contract/resources/share-permissions.ts'
import { sql } from 'kysely'
import { everyone, own, ownOrShared } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { allStaff, staffOf } from '#staff/roles.ts'
import {
  confirmGuest,
  effective,
  permissionColumns,
  permissionCreated,
  permissionRemoved,
  permissionUpdated,
} from './permissions.ts'
import { byGrant } from './reach.ts'

/** The permission object as the owner chose it, without archived workspaces and deleted panels. */
const asObject = sql`(select jsonb_build_object(
  'billing', billing, 'tickets', tickets, 'my_workspaces', my_workspaces, 'add_panels', add_panels,
  'delete_panels', delete_panels, 'workspace_resources', workspace_resources,
  'workspaces', (select coalesce(jsonb_agg(jsonb_build_object(
      'id', w.id, 'name', w.name, 'selected', case when e.selected then 'allowed' else 'denied' end,
      'show_workspace', e.show_workspace, 'access_type', e.access_type, 'add_panels', e.add_panels,
      'delete_panels', e.delete_panels,
      'panels', (select coalesce(jsonb_agg(p.id order by p.id), '[]') from share_permission_panels x
        join panels p on p.id = x.panel_id and p.project_id = x.project_id and p.deleted_at is null
        where x.permission_id = e.permission_id and x.project_id = e.project_id)) order by w.id), '[]')
    from share_permission_workspaces e join projects w on w.id = e.project_id and w.archived_at is null
    where e.permission_id = share_permissions.id),
  'account_access', account_access, 'domain_access', domain_access,
  'domains', (select coalesce(jsonb_agg(d.id order by d.id), '[]') from share_permission_domains x
    join domains d on d.id = x.domain_id where x.permission_id = share_permissions.id),
  'create_domains', create_domains, 'create_email', create_email, 'create_dev_env', create_dev_env))`

export default serve(sharePermissions, {
  table: 'share_permissions',
  policy: {
    read: {
      ...ownOrShared('share_permissions.inviting_client_id', (actor) =>
        byGrant('share_permissions.id', actor),
      ),
      ...staffOf(...allStaff),
    },
    // The permission object also lists what it does not open.
    part: {
      whole: { ...own('share_permissions.inviting_client_id'), ...staffOf(...allStaff) },
      fields: ['inviting_client_id', 'invited_client_id', 'expires_at', 'createdAt', 'updatedAt'],
      concerns: (actor, owner) => owner !== actor.id,
    },
    create: everyone,
    update: own('share_permissions.inviting_client_id'),
    delete: own('share_permissions.inviting_client_id'),
    setInvitedClientId: everyone,
    effective: everyone,
  },
  present: (eb) => eb('share_permissions.revoked_at', 'is', null),
  account: 'inviting_client_id',
  columns: { permissions: () => asObject },
  spread: { permissions: permissionColumns },
  fill: ({ actor }) => ({ inviting_client_id: actor.id }),
  relationships: {
    invitation: { inverse: 'permission_id' },
    invitingClient: 'inviting_client_id',
    invitedClient: 'invited_client_id',
  },
  filters: { client_id: 'inviting_client_id' },
  order: '-createdAt',
  created: permissionCreated,
  updated: permissionUpdated,
  remove: permissionRemoved,
  actions: {
    setInvitedClientId: (context, { row, input }) => confirmGuest(context, row, input.invited_client_id),
    effective: (context, { row }) => effective(context, row),
  },
})
