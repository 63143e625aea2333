import * as z from 'zod/mini'
import { email } from '../calls/credentials.ts'
import { idParameter, integerId, line, moment, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { allow, level } from '../permission-object.ts'
import { fault } from '../refusals/fields.ts'

/** The token of an invitation's link: 32 random bytes. Malformed ones, also an empty one, are answered like unknown ones. */
const token = z.string().check(z.maxLength(200))

const attributes = {
  /** The inviting client. */
  client_id: integerId,
  permission_id: integerId,
  first_name: line(80, { required: fault('first_name_required') }),
  last_name: line(80, { required: fault('last_name_required') }),
  full_name: z.string(),
  initials: z.string(),
  /** Kept as it was typed; compared without regard to case. */
  invited_email: email,
  accepted: z.boolean(),
  accepted_at: z.nullable(moment),
  accepted_by_client_id: z.nullable(integerId),
  /** When the last mail with a link was requested. */
  last_sent_at: moment,
  /** When the link of that mail expires. */
  link_expires_at: moment,
  ...stamps,
}

export const shareInvitations = resource('share-invitations', {
  description:
    'An invitation to share an account: sent, then accepted. Deleting it ends its permission, accepted or not.',
  attributes,
  relationships: {
    permission: toOne('share-permissions'),
    client: toOne('clients'),
    acceptedBy: toOne('clients', { nullable: true }),
  },
  create: ['first_name', 'last_name', 'invited_email', 'permission'],
  update: ['first_name', 'last_name'],
  delete: true,
  filters: {
    client_id: idParameter,
    permission_id: idParameter,
    accepted: z.enum(['true', 'false']),
  },
  sorts: ['createdAt', 'invited_email'],
  actions: {
    acceptInvitation: action({
      method: 'POST',
      on: 'type',
      description:
        'Accepts the invitation of a link. `status` false and `email_mismatch` when it was sent to another address than the signed-in person’s. 404 unknown, 409 accepted already, 410 expired.',
      input: z.object({ token }),
      output: z.union([
        z.object({
          status: z.literal(true),
          share_invitation: z.object({
            id: integerId,
            client_id: integerId,
            permission_id: integerId,
            first_name: z.string(),
            last_name: z.string(),
            invited_email: z.string(),
            accepted: z.literal(true),
            accepted_by_client_id: integerId,
            inviter_name: z.string(),
          }),
        }),
        z.object({
          status: z.literal(false),
          reason: z.literal('email_mismatch'),
          share_invitation: z.object({ invited_email: z.string() }),
        }),
      ]),
    }),
    resendEmail: action({
      method: 'POST',
      on: 'one',
      description:
        'Sends a new link and invalidates the old one. 409 once accepted, 429 within five minutes or after ten in a day to the address or fifty of the owner.',
      input: z.object({}),
      output: z.object({ status: z.boolean() }),
    }),
    preview: action({
      method: 'GET',
      on: 'type',
      open: true,
      description:
        'The parties and the content of an invitation, for the holder of the link, signed in or not. 404 unknown, 409 accepted already, 410 expired.',
      input: z.object({ token }),
      output: z.object({
        inviter_name: z.string(),
        /** The company in the inviter's billing details. */
        inviter_company: z.nullable(z.string()),
        first_name: z.string(),
        last_name: z.string(),
        invited_email: z.string(),
        link_expires_at: moment,
        permissions: z.object({
          billing: allow,
          tickets: allow,
          my_workspaces: allow,
          add_panels: allow,
          delete_panels: allow,
          workspace_resources: level,
          account_access: level,
          domain_access: level,
          /** The number of shared domains where not all are shared. */
          domains: z.int(),
          create_domains: allow,
          create_email: allow,
          create_dev_env: allow,
          /** The shared workspaces where not all are shared, and the shared panels in them. */
          workspaces: z.array(
            z.object({
              name: z.string(),
              access_type: z.enum(['custom', 'all']),
              panels: z.int(),
              panel_names: z.array(z.string()),
            }),
          ),
        }),
      }),
    }),
  },
})
