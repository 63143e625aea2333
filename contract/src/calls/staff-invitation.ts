import * as z from 'zod/mini'
import { givenRoles } from '../rules/staff-roles.ts'
import * as addresses from './addresses.ts'
import { call } from './call.ts'
import { newPassword, opaque } from './credentials.ts'

export const checkStaffInvitation = call(addresses.checkStaffInvitation, {
  description: 'Whether the link of an invitation to the staff is still valid; asking does not use it.',
  input: z.strictObject({ token: opaque }),
  output: z.object({ email: z.string(), display_name: z.string(), role: z.enum([...givenRoles, 'admin']) }),
})

export const acceptStaffInvitation = call(addresses.acceptStaffInvitation, {
  description:
    'Accepts an invitation to the staff with the link of a mail, once, and returns a code for `/auth/callback`. Without a password, a passkey is added in the new session. The rights of the role need a second factor.',
  input: z.strictObject({ token: opaque, password: z.optional(newPassword) }),
  output: z.object({ code: z.string() }),
})
