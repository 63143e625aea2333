import { google, inCookie } from '@portico/contract/calls/addresses.ts'
import { googleCallback } from '@portico/contract/calls/auth.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from '#identity/crypto.ts'
import { keepsOwnTokens, originOf } from '#identity/identity-context.ts'
import { issueTokens, type Parts } from '#identity/routes-parts.ts'
import { authenticate } from '#identity/sessions/authenticator.ts'
import { userOf } from '#identity/sessions/user.ts'
import type { Actor } from '#platform/context.ts'
import { Problem, refuse } from '#platform/errors/problem.ts'
import { languageOf } from '#platform/http/language.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { bePatient, type ExternalSignIn, returnPage, startExternalSignIn } from './external.routes.ts'
import { completeLink, completeSignIn, resumeExternalSignIn } from './external-sign-in.ts'
import type { Vouched } from './oidc.ts'

/** The person who is already signed in to the browser, if any. */
async function presentOf(request: FastifyRequest): Promise<Actor | undefined> {
  try {
    return await request.server.identity.signedIn(request)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

type Person = Pick<Actor, 'accountId' | 'sessionId'>

/** The response for a person who was already signed in: they keep their tokens. */
const asBefore = async ({ deps }: Parts, person: Person, request: FastifyRequest) => ({
  access_token: request.headers.authorization?.slice('Bearer '.length) ?? '',
  refresh_token: inCookie,
  user: await userOf(deps, person),
})

async function signedIn(parts: Parts, vouched: Vouched, request: FastifyRequest, reply: FastifyReply) {
  const { deps, cookies } = parts
  const binding = newToken()
  const present = await presentOf(request)
  const more = { binding, present, origin: originOf(request), language: languageOf(request) }
  const completed = await completeSignIn(deps, vouched, more)
  if ('challenge' in completed) {
    cookies.bind(reply, binding)
    throw refuse('two_factor_required', {}, { meta: { challenge: completed.challenge } })
  }
  if ('confirmed' in completed)
    return { ...(await asBefore(parts, completed.confirmed, request)), linked: false }
  const { opened } = completed
  const access_token = await issueTokens(cookies, opened, request, reply)
  const refresh_token = keepsOwnTokens(request) ? opened.refreshToken : inCookie
  return { access_token, refresh_token, user: await userOf(deps, opened), linked: false }
}

/** Requires the person who started linking, who alone may complete it. */
async function whoBegan(accountId: string, request: FastifyRequest): Promise<Actor> {
  const actor = await authenticate(request)
  if (actor.accountId === accountId) return actor
  throw refuse('linking_of_other_account')
}

const unavailable = 'temporarily_unavailable'
const rateLimited = 'rate_limited'

/** The error code for the return page (RFC 6749) by the status of a failed start. */
const sayable: Readonly<Partial<Record<number, string>>> = { 503: unavailable, 429: rateLimited }

/** The routes of sign-in with Google: start and return. */
export function googleRoutes(scope: FastifyInstance, externalSignIn: ExternalSignIn): void {
  const { parts, offered } = externalSignIn
  const { deps, cookies } = parts

  scope.route({
    method: google.method,
    url: google.path,
    // Every start stores a row, so a HEAD must not trigger it.
    exposeHeadRoute: false,
    handler: async (request, reply) =>
      reply.redirect(await startExternalSignIn(externalSignIn, request, reply, null), 302),
    // Also handles errors before the handler, such as the rate limit.
    errorHandler: (error, request, reply) => {
      const said = error instanceof Problem ? sayable[error.status] : undefined
      if (said === undefined || !request.headers.accept?.includes('text/html')) throw error
      // A person follows a link here, so the failure is shown by the return page and not as a JSON document.
      return reply.redirect(`${returnPage}?error=${said}`, 302)
    },
  })

  serveCall(scope, googleCallback, async (returned, request, reply) => {
    const party = offered()
    bePatient(request)
    // The start could not reach Google, see above; or Google reports an outage.
    if (returned.error === unavailable) throw party.unavailable()
    if (returned.error === rateLimited)
      throw refuse('google_attempts_too_many', {}, { headers: { 'retry-after': '60' } })
    const presented = { cookie: request.cookies.g_tx, state: returned.state }
    const { state, accountId, redeem } = await resumeExternalSignIn(deps, party, presented)
    // Checked before anything is consumed: an expired token is renewed first, and the call repeated.
    const linking = accountId === null ? undefined : await whoBegan(accountId, request)
    const secrets = await redeem()
    cookies.unbindElsewhere(reply)
    const vouched = await party.vouched(returned, state, secrets)
    if (linking === undefined) return signedIn(parts, vouched, request, reply)
    await completeLink(deps, linking, vouched, originOf(request))
    return { ...(await asBefore(parts, linking, request)), linked: true }
  })
}
