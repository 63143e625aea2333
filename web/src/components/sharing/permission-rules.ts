import type { Permissions } from '@portico/contract/permission-object.ts'
import { shareInvitations } from '@portico/contract/resources/share-invitations.ts'
import * as z from 'zod/mini'

const { first_name, last_name, invited_email } = shareInvitations.attributes
/** What a form of permissions is checked by. */
export const rules = z.object({
  first_name,
  last_name,
  invited_email,
  permissions: z.custom<Permissions>(),
  /** The last day, of UTC; empty: no end; anything else was typed and is none, which is refused. */
  expires_on: z.string(),
})
export type Values = z.output<typeof rules>
