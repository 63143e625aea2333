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

/** A password that is being chosen; whether it is a common one is the server's to say. Lengths in characters. */
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

/** A password that was chosen before. */
export const password = z.string(fault('password_required')).check(
  z.minLength(1, fault('password_required')),
  z.refine(
    (text) => [...text].length <= longestPassword,
    fault('characters_most', { most: longestPassword }),
  ),
)

/** A token, a code or a link's secret: opaque to whoever carries it. */
export const opaque = z.string().check(z.minLength(1), z.maxLength(200))

/** Six digits of an authenticator app, or one of the recovery codes; spaces and dashes do not count. */
export const secondFactorCode = z
  .string(fault('code_required'))
  .check(
    z.trim(),
    z.minLength(1, fault('code_required')),
    z.maxLength(40, fault('characters_most', { most: 40 })),
  )

/** What WebAuthn hands to and fro between browser and server, in its JSON form (WebAuthn 3, section 5.1). */
export const webAuthn = z.record(z.string(), z.unknown())
