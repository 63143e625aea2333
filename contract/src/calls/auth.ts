import * as z from 'zod/mini'
import { addresses } from './addresses.ts'
import { call } from './call.ts'
import { user } from './user.ts'

/** Sent with the value `api` by programs that are no browser: their tokens come in the body and no cookie is set. */
export const clientHeader = 'x-portico-client'

const opaque = z.string().check(z.minLength(1), z.maxLength(200))

const tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

export const login = call({
  ...addresses.login,
  description:
    'Checks e-mail and password and answers a code for `/auth/callback`: for one minute, one use and this browser.',
  input: z.strictObject({
    email: z
      .string('E-mail is required')
      .check(
        z.trim(),
        z.maxLength(254, { error: 'At most 254 characters', abort: true }),
        z.email('Not a valid e-mail address'),
      ),
    password: z
      .string('Password is required')
      .check(z.minLength(1, 'Password is required'), z.maxLength(128, 'At most 128 characters')),
  }),
  output: z.object({ code: z.string() }),
})

export const callback = call({
  ...addresses.callback,
  description: 'Exchanges the code of a sign-in for a session: tokens, cookies and the person.',
  input: z.object({ code: opaque }),
  output: z.object({ token: z.string(), refreshToken: z.string(), user }),
})

export const refresh = call({
  ...addresses.refresh,
  description: 'Exchanges a refresh token for new tokens; `cookie`, or none, takes the one in the cookie.',
  input: z.object({ refreshToken: z.optional(opaque) }),
  output: tokens,
})

export const refreshByPost = call({
  ...addresses.refreshByPost,
  description: 'The same as the GET, for clients that keep secrets out of addresses.',
  input: z.object({ refreshToken: z.optional(opaque) }),
  output: tokens,
})

export const authConfig = call({
  ...addresses.authConfig,
  description: 'What the sign-in page offers: other ways in, and in a demo its accounts.',
  input: z.object({}),
  output: z.object({
    google: z.boolean(),
    demo_accounts: z.nullable(
      z.readonly(z.array(z.object({ email: z.string(), name: z.string(), note: z.string() }))),
    ),
  }),
})
