import type { Permissions } from '@portico/contract/permission-object.ts'
import { shareInvitations } from '@portico/contract/resources/share-invitations.ts'
import * as z from 'zod/mini'

const { first_name, last_name, invited_email } = shareInvitations.attributes
/** The validation rules of a permission form. */
export const rules = z.object({
  first_name,
  last_name,
  invited_email,
  permissions: z.custom<Permissions>(),
  /** The last UTC day; empty: no end; invalid text is kept and refused. */
  expires_on: z.string(),
})
export type Values = z.output<typeof rules>
