import * as z from 'zod/mini'
import { longestPassword, shortestPassword } from '../rules/password-lengths.ts'

/** An e-mail address as a person types it. */
export const email = z
  .string('E-mail is required')
  .check(
    z.trim(),
    z.minLength(1, { error: 'E-mail is required', abort: true }),
    z.maxLength(254, { error: 'At most 254 characters', abort: true }),
    z.email('Not a valid e-mail address'),
  )

/** A password that is being chosen; whether it is a common one is the server's to say. Lengths in characters. */
export const newPassword = z.string('Password is required').check(
  z.refine((text) => [...text].length >= shortestPassword, {
    error: `At least ${shortestPassword} characters`,
    abort: true,
  }),
  z.refine((text) => [...text].length <= longestPassword, `At most ${longestPassword} characters`),
)

/** A password that was chosen before. */
export const password = z.string('Password is required').check(
  z.minLength(1, 'Password is required'),
  z.refine((text) => [...text].length <= longestPassword, `At most ${longestPassword} characters`),
)

/** A token, a code or a link's secret: opaque to whoever carries it. */
export const opaque = z.string().check(z.minLength(1), z.maxLength(200))

/** Six digits of an authenticator app, or one of the recovery codes; spaces and dashes do not count. */
export const secondFactorCode = z
  .string('A code is required')
  .check(z.trim(), z.minLength(1, 'A code is required'), z.maxLength(40, 'At most 40 characters'))

/** What WebAuthn hands to and fro between browser and server, in its JSON form (WebAuthn 3, section 5.1). */
export const webAuthn = z.record(z.string(), z.unknown())
