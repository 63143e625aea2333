import * as z from 'zod/mini'
import { idParameter, language, line, noInput } from '../fields.ts'
import { fault } from '../refusals/fields.ts'
import * as addresses from './addresses.ts'
import { call } from './call.ts'
import { email, newPassword, opaque } from './credentials.ts'

const status = z.object({ status: z.literal(true) })

export const register = call(addresses.register, {
  description:
    'Creates an account, which is restricted until its e-mail is confirmed. The answer is the same when the address has an account already; its owner then gets a mail about it.',
  input: z.strictObject({
    first_name: line(80, { required: fault('first_name_required') }),
    last_name: line(80, { required: fault('last_name_required') }),
    email,
    password: newPassword,
    terms: z.literal(true, fault('terms_not_accepted')),
    language: z.optional(language),
  }),
  output: status,
})

export const registration = call(addresses.registration, {
  description:
    'The progress of the registration in this browser: once its e-mail is confirmed in this browser, it returns a code for `/auth/callback`, once. Confirmed in another browser, there is no code, and the person signs in.',
  input: noInput,
  output: z.object({ verified: z.boolean(), code: z.optional(z.string()) }),
})

export const verifyEmail = call(addresses.verifyEmail, {
  description:
    'Follows the link of a confirmation mail, once: otherwise `link_used`, `link_expired` or `link_invalid`.',
  input: z.object({ id: idParameter, hash: opaque }),
  output: z.object({ status: z.literal(true), email: z.string() }),
})

export const resendConfirmation = call(addresses.resendConfirmation, {
  description:
    'Sends the confirmation mail again, at most once a minute; `retry_after` is in seconds. The answer is the same for every address.',
  input: z.object({ email }),
  output: z.object({ status: z.literal(true), retry_after: z.int() }),
})

export const forgotPassword = call(addresses.forgotPassword, {
  description:
    'Sends a link to choose a new password, for 30 minutes. The answer is the same for every address.',
  input: z.strictObject({ email }),
  output: status,
})

export const checkReset = call(addresses.checkReset, {
  description: 'Whether the link to choose a new password is still valid; asking does not use it.',
  input: z.strictObject({ token: opaque }),
  output: z.object({ status: z.literal(true), email: z.string() }),
})

export const resetPassword = call(addresses.resetPassword, {
  description:
    'Chooses a new password with the link of a mail, once, and ends every session. Signing in still requires the second factor.',
  input: z.strictObject({ token: opaque, password: newPassword }),
  output: status,
})

export const confirmEmail = call(addresses.confirmEmail, {
  description: 'Confirms a new e-mail address with the link that was sent there, once.',
  input: z.strictObject({ token: opaque }),
  output: z.object({ status: z.literal(true), email: z.string() }),
})

export const undoEmail = call(addresses.undoEmail, {
  description:
    'Restores the former e-mail address with the link that was sent there, within 72 hours. Ends every session, removes the password, and sends a link to choose a new one.',
  input: z.strictObject({ token: opaque }),
  output: z.object({ status: z.literal(true), email: z.string() }),
})
