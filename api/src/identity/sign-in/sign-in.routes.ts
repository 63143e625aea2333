import { inCookie } from '@portico/contract/calls/addresses.ts'
import { callback, confirmSignIn, login } from '@portico/contract/calls/auth.ts'
import type { FastifyInstance } from 'fastify'
import { newToken } from '#identity/crypto.ts'
import { keepsOwnTokens, originOf } from '#identity/identity-context.ts'
import { done, issueTokens, type Parts } from '#identity/routes-parts.ts'
import { userOf } from '#identity/sessions/user.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { confirm, exchange, login as signIn } from './sign-in.ts'

/** The routes to sign in with e-mail and password, and to complete every sign-in. */
export function signInRoutes(scope: FastifyInstance, { deps, cookies, throttle }: Parts): void {
  serveCall(scope, login, async ({ email, password }, request, reply) => {
    const binding = newToken()
    const next = await signIn(deps, throttle, { email, password, binding, origin: originOf(request) })
    cookies.bind(reply, binding)
    return next
  })

  serveCall(scope, callback, async ({ code }, request, reply) => {
    const binding = request.cookies.login_tx ?? ''
    const opened = await exchange(deps, { code, binding, origin: originOf(request) })
    cookies.unbind(reply)
    const token = await issueTokens(cookies, opened, request, reply)
    const user = await userOf(deps, opened)
    return { token, refreshToken: keepsOwnTokens(request) ? opened.refreshToken : inCookie, user }
  })

  serveCall(scope, confirmSignIn, async ({ code }, request, reply) => {
    const actor = await scope.identity.signedIn(request)
    await confirm(deps, {
      actor,
      code,
      binding: request.cookies.login_tx ?? '',
      origin: originOf(request),
    })
    cookies.unbind(reply)
    return done
  })
}
