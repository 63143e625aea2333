import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#identity/config.ts'
import type { Parts } from '#identity/routes-parts.ts'
import { networkOf } from '#identity/sign-in/throttle.ts'
import { refuse } from '#platform/errors/problem.ts'
import { begin } from './external-sign-in.ts'
import { RelyingParty } from './oidc.ts'

/** The page that a provider sends the browser back to; it makes the call that is named after it. */
export const returnPage = '/google/callback'

/** What the routes of signing in elsewhere share. */
export type Elsewhere = {
  readonly parts: Parts
  /** The provider. Throws `google_not_offered` where none is set up. */
  readonly offered: () => RelyingParty
}

/** Sets up the provider, or says once, in the log of the start, why nobody is offered to sign in with it. */
export function elsewhereOf(scope: FastifyInstance, parts: Parts): Elsewhere {
  const { google, issuer } = parts.deps.config
  const party = google && new RelyingParty(google, `${issuer}${returnPage}`, scope.log)
  if (party === undefined)
    scope.log.info('Nobody is offered to sign in with Google: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.')
  const offered = () => {
    if (party === undefined) throw refuse('google_not_offered')
    return party
  }
  return { parts, offered }
}

// Ten seconds for each of three answers of the provider: longer than a connection may be quiet otherwise.
const patience = 35_000

/** Keeps the connection open while the provider is asked, so that it can be told when that fails. */
export function bePatient({ raw }: FastifyRequest): void {
  // A request that came by no network has no such socket, whatever its type says.
  raw.socket.setTimeout?.(patience)
}

/** Begins, for this browser: returns the address to go to. `accountId`: whose account is to be linked. */
export async function goElsewhere(
  { parts: { deps, cookies, throttle }, offered }: Elsewhere,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string | null,
): Promise<string> {
  const party = offered()
  bePatient(request)
  await throttle.charge(limits.elsewhere, networkOf(request.ip))
  const { url, cookie } = await begin(deps, party, accountId)
  cookies.bindElsewhere(reply, cookie)
  return url
}
