import { shareInvitations } from '@portico/contract/resources/share-invitations.ts'
import { sql } from 'kysely'
import { noteAct } from '#notifications/account-log.ts'
import { reason } from '#platform/errors/problem.ts'
import { everyone, own, ownOrShared } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { allStaff, staffOf } from '#staff/roles.ts'
import { accept, preview } from './accept-invitation.ts'
import { invitationCreated, invitationRemoved, namesStand, newInvitation, resend } from './invitations.ts'
import { byGrant } from './reach.ts'

/** The initials of the first two words of the name. */
const initials = sql`(select string_agg(upper(left(word, 1)), '' order by at) from (
  select word, at from regexp_split_to_table(full_name, '\\s+') with ordinality as split (word, at)
  where word <> '' order by at limit 2) first)`

export default serve(shareInvitations, {
  table: 'share_invitations',
  policy: {
    read: {
      ...ownOrShared(
        'share_invitations.client_id',
        (actor) => sql`(${byGrant('share_invitations.permission_id', actor)}
          and share_invitations.accepted_by_client_id = ${actor.id})`,
      ),
      ...staffOf(...allStaff),
    },
    create: everyone,
    update: own('share_invitations.client_id'),
    delete: own('share_invitations.client_id'),
    resendEmail: own('share_invitations.client_id'),
    acceptInvitation: everyone,
    preview: everyone,
  },
  may: { update: namesStand },
  account: 'client_id',
  columns: { initials: () => initials },
  fill: newInvitation,
  relationships: {
    permission: 'permission_id',
    client: 'client_id',
    acceptedBy: 'accepted_by_client_id',
  },
  filters: {
    client_id: 'client_id',
    permission_id: 'permission_id',
    accepted: (eb, value) => eb('share_invitations.accepted', '=', sql<boolean>`${value}::boolean`),
  },
  order: '-createdAt',
  constraints: {
    share_invitations_once: { field: 'invited_email', refusal: reason('invitation_repeated') },
    share_invitations_permission_id_key: {
      field: 'permission',
      refusal: reason('permission_in_use'),
    },
  },
  created: async (context, row) => {
    await invitationCreated(context, row)
    await noteAct(context, { kind: 'invitation-sent', owner: row.client_id, about: row.invited_email })
  },
  remove: invitationRemoved,
  actions: {
    acceptInvitation: (context, { input }) => accept(context, input.token),
    resendEmail: (context, { row }) => resend(context, row),
    preview: (context, { input }) => preview(context, input.token),
  },
})
