import { inCookie } from '@portico/contract/calls/addresses.ts'
import { refresh, refreshByPost } from '@portico/contract/calls/auth.ts'
import { chooseLanguage, currentUser, logout } from '@portico/contract/calls/user.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '#identity/identity-context.ts'
import { done, issueTokens, type Parts } from '#identity/routes-parts.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { authenticate } from './authenticator.ts'
import { sessionEnded } from './refusal.ts'
import { rotate, signOut } from './sessions.ts'
import { keepLanguage, userOf } from './user.ts'

/** The routes to refresh tokens, end the session, and read its user. */
export function tokenRoutes(scope: FastifyInstance, { deps, cookies }: Parts): void {
  const exchangeToken = async (given: string | undefined, request: FastifyRequest, reply: FastifyReply) => {
    const fromCookie = given === undefined || given === inCookie
    const presented = fromCookie ? request.cookies.refreshToken : given
    const opened = presented === undefined ? undefined : await rotate(deps, presented, originOf(request))
    if (opened === undefined) {
      // A link with a forged token must not sign the browser out.
      if (fromCookie) cookies.close(reply)
      throw sessionEnded()
    }
    const access_token = await issueTokens(cookies, opened, request, reply)
    // A token from an HttpOnly cookie must not appear in a body that scripts can read.
    return { access_token, refresh_token: fromCookie ? inCookie : opened.refreshToken }
  }
  serveCall(scope, refresh, ({ refreshToken }, request, reply) => exchangeToken(refreshToken, request, reply))
  serveCall(scope, refreshByPost, ({ refreshToken }, request, reply) =>
    exchangeToken(refreshToken, request, reply),
  )

  const readUser = async (request: FastifyRequest) => {
    const actor = request.viewer ?? (await scope.identity.signedIn(request))
    return userOf(deps, actor, actor.view)
  }
  serveCall(scope, currentUser, (_, request) => readUser(request), { views: true })

  serveCall(scope, chooseLanguage, async ({ language }, request) => {
    const { accountId } = await authenticate(request)
    await keepLanguage(deps, accountId, language)
    return done
  })

  serveCall(scope, logout, async (_, request, reply) => {
    await signOut(deps, await scope.identity.signedIn(request), originOf(request))
    cookies.close(reply)
    return { status: true }
  })
}
