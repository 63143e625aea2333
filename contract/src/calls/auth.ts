import * as z from 'zod/mini'
import { noInput } from '../fields.ts'
import * as addresses from './addresses.ts'
import { call } from './call.ts'
import { email, opaque, password, secondFactorCode, webAuthn } from './credentials.ts'
import { user } from './user.ts'

/**
 * Sent with the value `api` by programs that are not browsers: their tokens come in the body and no cookie is
 * set.
 */
export const clientHeader = 'x-portico-client'

const tokens = z.object({ access_token: z.string(), refresh_token: z.string() })
const code = z.object({ code: z.string() })

export const login = call(addresses.login, {
  description:
    'Checks e-mail and password and returns a code for `/auth/callback`, valid for one minute, one use and this browser. With two-factor authentication it returns a challenge instead, valid for five minutes.',
  input: z.strictObject({ email, password }),
  output: z.union([code, z.object({ two_factor: z.literal(true), challenge: z.string() })]),
})

export const loginTwoFactor = call(addresses.loginTwoFactor, {
  description:
    'The second step of a sign-in: the challenge of the first with six digits of the authenticator app, or with a recovery code.',
  input: z.strictObject({ challenge: opaque, code: secondFactorCode }),
  output: code,
})

export const passkeyOptions = call(addresses.passkeyOptions, {
  description:
    'The options for `navigator.credentials.get` to sign in with any passkey; valid for five minutes and this browser.',
  input: noInput,
  output: z.object({ options: webAuthn }),
})

export const passkeyVerify = call(addresses.passkeyVerify, {
  description:
    'Verifies a passkey’s response and returns a code for `/auth/callback`. No second factor is required.',
  input: z.strictObject({ response: webAuthn }),
  output: code,
})

export const callback = call(addresses.callback, {
  description: 'Exchanges the code of a sign-in for a session: tokens, cookies and the person.',
  input: z.object({ code: opaque }),
  output: z.object({ token: z.string(), refreshToken: z.string(), user }),
})

export const googleCallback = call(addresses.googleCallback, {
  description:
    'Completes a sign-in with Google: exchanges the parameters of Google’s redirect for a session. 403 `two_factor_required` with `meta.challenge` when a second step follows. With the bearer token of the same person it confirms their session instead, which keeps its tokens; where linking was started, it links.',
  input: z.object({
    code: z.optional(z.string()),
    state: z.optional(z.string()),
    iss: z.optional(z.string()),
    error: z.optional(z.string()),
  }),
  output: z.extend(tokens, { user, linked: z.boolean() }),
})

export const confirmSignIn = call(addresses.confirmSignIn, {
  description:
    'Redeems the code of a sign-in for the present session, which then counts as signed in just now: changing sign-in methods requires a sign-in within the last ten minutes.',
  input: z.strictObject({ code: opaque }),
  output: z.object({ status: z.literal(true) }),
})

export const refresh = call(addresses.refresh, {
  description: 'Exchanges a refresh token for new tokens; `cookie`, or no token, uses the one in the cookie.',
  input: z.object({ refreshToken: z.optional(opaque) }),
  output: tokens,
})

export const refreshByPost = call(addresses.refreshByPost, {
  description: 'The same as the GET, for clients that keep secrets out of addresses.',
  input: z.object({ refreshToken: z.optional(opaque) }),
  output: tokens,
})

export const authConfig = call(addresses.authConfig, {
  description:
    'The options of the guest pages: sign-in methods, whether letters are sent, the look-up of a country by address, and in a demo its accounts.',
  input: z.object({}),
  output: z.object({
    google: z.boolean(),
    /** False without a mail server: a letter waits, and staff confirm the address of a new account. */
    mail: z.boolean(),
    /** Answers `1;US;USA;United States` as plain text; null when none is set. */
    country_lookup: z.nullable(z.string()),
    demo_accounts: z.nullable(
      z.readonly(
        z.array(
          z.object({
            email: z.string(),
            name: z.string(),
            /** Describes the account, by language. */
            note: z.object({ en: z.string(), ro: z.string() }),
          }),
        ),
      ),
    ),
  }),
})
