import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#identity/config.ts'
import type { Parts } from '#identity/routes-parts.ts'
import { networkOf } from '#identity/sign-in/throttle.ts'
import { refuse } from '#platform/errors/problem.ts'
import { begin } from './external-sign-in.ts'
import { RelyingParty } from './oidc.ts'

/** The page that the provider redirects to; it makes the API call of the same name. */
export const returnPage = '/google/callback'

/** Shared by the routes of external sign-in. */
export type ExternalSignIn = {
  readonly parts: Parts
  /** The provider. Throws `google_not_offered` when none is configured. */
  readonly offered: () => RelyingParty
}

/** Sets up the provider, or logs once at start why external sign-in is not offered. */
export function externalSignInOf(scope: FastifyInstance, parts: Parts): ExternalSignIn {
  const { google, issuer } = parts.deps.config
  const party = google && new RelyingParty(google, `${issuer}${returnPage}`, scope.log)
  if (party === undefined)
    scope.log.info('Sign-in with Google is disabled: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.')
  const offered = () => {
    if (party === undefined) throw refuse('google_not_offered')
    return party
  }
  return { parts, offered }
}

// Ten seconds for each of three provider responses, which is longer than the usual limit of a silent
// connection.
const patience = 35_000

/**
 * Extends the connection's idle limit while the provider is called, so that a failure can still be reported.
 */
export function bePatient({ raw }: FastifyRequest): void {
  // An injected request has no real socket, whatever its type says.
  raw.socket.setTimeout?.(patience)
}

/**
 * Starts an external sign-in for this browser: returns the address to redirect to. `accountId`: the account
 * to link.
 */
export async function startExternalSignIn(
  { parts: { deps, cookies, throttle }, offered }: ExternalSignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string | null,
): Promise<string> {
  const party = offered()
  bePatient(request)
  await throttle.charge(limits.elsewhere, networkOf(request.ip))
  const { url, cookie } = await begin(deps, party, accountId)
  cookies.bindExternalSignIn(reply, cookie)
  return url
}
