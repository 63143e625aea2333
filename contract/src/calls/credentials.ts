import * as z from 'zod/mini'
import { fault } from '../refusals/fields.ts'
import { longestPassword, shortestPassword } from '../rules/password-lengths.ts'

/** An e-mail address as a person types it. */
export const email = z
  .string(fault('email_required'))
  .check(
    z.trim(),
    z.minLength(1, { error: fault('email_required'), abort: true }),
    z.maxLength(254, { error: fault('characters_most', { most: 254 }), abort: true }),
    z.email(fault('email_invalid')),
  )

/** A new password. The server alone checks whether it is a common one. Lengths in characters. */
export const newPassword = z.string(fault('password_required')).check(
  z.refine((text) => [...text].length >= shortestPassword, {
    error: fault('characters_least', { least: shortestPassword }),
    abort: true,
  }),
  z.refine(
    (text) => [...text].length <= longestPassword,
    fault('characters_most', { most: longestPassword }),
  ),
)

/** An existing password. */
export const password = z.string(fault('password_required')).check(
  z.minLength(1, fault('password_required')),
  z.refine(
    (text) => [...text].length <= longestPassword,
    fault('characters_most', { most: longestPassword }),
  ),
)

/** A token, a code or the secret of a link: opaque to its bearer. */
export const opaque = z.string().check(z.minLength(1), z.maxLength(200))

/** Six digits from an authenticator app, or a recovery code; spaces and dashes are ignored. */
export const secondFactorCode = z
  .string(fault('code_required'))
  .check(
    z.trim(),
    z.minLength(1, fault('code_required')),
    z.maxLength(40, fault('characters_most', { most: 40 })),
  )

/** Options and responses of WebAuthn, in their JSON form (WebAuthn 3, section 5.1). */
export const webAuthn = z.record(z.string(), z.unknown())
