import * as z from 'zod/mini'
import { idParameter, integerId, moment, noInput, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { level, permissions } from '../permission-object.ts'

/**
 * The effective permissions: the capabilities, and every workspace and panel that is shared at this moment.
 */
export const effectiveAccess = z.object({
  capabilities: z.object({
    billing: z.boolean(),
    tickets: z.boolean(),
    my_workspaces: z.boolean(),
    add_panels: z.boolean(),
    delete_panels: z.boolean(),
    account_access: level,
    domain_access: level,
    create_domains: z.boolean(),
    create_email: z.boolean(),
    create_dev_env: z.boolean(),
  }),
  workspaces: z.array(
    z.object({ id: integerId, name: z.string(), add_panels: z.boolean(), delete_panels: z.boolean() }),
  ),
  panels: z.array(z.object({ id: integerId, name: z.string(), project_id: integerId })),
})

export const sharePermissions = resource('share-permissions', {
  description:
    'The permissions of one invited person in an owner’s account. They apply from the acceptance on, and changes from the next request. The invited person reads all but `permissions`, and of those the effective part.',
  attributes: {
    inviting_client_id: integerId,
    invited_client_id: z.nullable(integerId),
    permissions,
    /** When it expires; null: never. */
    expires_at: z.nullable(moment),
    ...stamps,
  },
  relationships: {
    invitation: toOne('share-invitations', { nullable: true }),
    invitingClient: toOne('clients'),
    invitedClient: toOne('clients', { nullable: true }),
  },
  create: ['permissions', 'expires_at'],
  update: ['permissions', 'expires_at'],
  delete: true,
  filters: { client_id: idParameter },
  sorts: ['createdAt'],
  actions: {
    setInvitedClientId: action({
      method: 'POST',
      on: 'one',
      description:
        'Confirms, for older clients, what acceptance has done already; only for the person who accepted. 409 for any other id.',
      input: z.object({ invited_client_id: integerId }),
      output: z.object({ status: z.boolean() }),
    }),
    effective: action({
      method: 'GET',
      on: 'one',
      description: 'The effective permissions at this moment, for the owner and for the invited person.',
      input: noInput,
      output: effectiveAccess,
    }),
  },
})
