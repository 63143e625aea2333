import * as z from 'zod/mini'
import { language, line } from '../fields.ts'
import { fault } from '../refusals/fields.ts'
import * as addresses from './addresses.ts'
import { call } from './call.ts'
import { email, newPassword, opaque } from './credentials.ts'

export const checkSetupLink = call(addresses.checkSetupLink, {
  description:
    'Whether the link that a new portal prints is still valid; asking does not use it. 404 `setup_over` once the portal has an administrator.',
  input: z.strictObject({ token: opaque }),
  output: z.object({ status: z.literal(true) }),
})

export const createFirstAdmin = call(addresses.createFirstAdmin, {
  description:
    'Creates the first administrator with the link that a new portal prints, once, and returns a code for `/auth/callback`. The rights need a second factor, which also ends all links.',
  input: z.strictObject({
    token: opaque,
    name: line(80, { required: fault('name_required') }),
    email,
    password: newPassword,
    language: z.optional(language),
  }),
  output: z.object({ code: z.string() }),
})
