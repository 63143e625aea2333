import { inCookie } from '@portico/contract/calls/addresses.ts'
import {
  authConfig,
  callback,
  clientHeader,
  login,
  refresh,
  refreshByPost,
} from '@portico/contract/calls/auth.ts'
import { currentUser, logout } from '@portico/contract/calls/user.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { demoAccounts } from '../services/demo-accounts.ts'
import { Cookies } from './cookies.ts'
import { newToken } from './crypto.ts'
import type { Deps, Origin } from './deps.ts'
import { sessionEnded } from './refusal.ts'
import { serveCall } from './serve-call.ts'
import { type Opened, revokeSession, rotate } from './sessions.ts'
import { exchange, login as signIn } from './sign-in.ts'
import { Throttle } from './throttle.ts'
import { userOf } from './user.ts'

const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent'],
})

const keepsOwnTokens = (request: FastifyRequest) => request.headers[clientHeader] === 'api'

/** Signs an access token for a session, and hands both tokens to a browser by cookies. */
async function handOut(cookies: Cookies, opened: Opened, request: FastifyRequest, reply: FastifyReply) {
  const accessToken = await request.server.identity.tokens.sign(opened)
  if (!keepsOwnTokens(request)) cookies.open(reply, accessToken, opened.refreshToken)
  return accessToken
}

function signInRoutes(scope: FastifyInstance, deps: Deps, cookies: Cookies): void {
  const throttle = new Throttle(deps)

  serveCall(scope, login, async ({ email, password }, request, reply) => {
    const binding = newToken()
    const code = await signIn(deps, throttle, { email, password, binding, ip: request.ip })
    cookies.bind(reply, binding)
    return { code }
  })

  serveCall(scope, callback, async ({ code }, request, reply) => {
    const binding = request.cookies.login_tx ?? ''
    const opened = await exchange(deps, { code, binding, origin: originOf(request) })
    cookies.unbind(reply)
    const token = await handOut(cookies, opened, request, reply)
    const user = await userOf(deps.pool, opened.accountId)
    return { token, refreshToken: keepsOwnTokens(request) ? opened.refreshToken : inCookie, user }
  })
}

function tokenRoutes(scope: FastifyInstance, deps: Deps, cookies: Cookies): void {
  const exchangeToken = async (given: string | undefined, request: FastifyRequest, reply: FastifyReply) => {
    const fromCookie = given === undefined || given === inCookie
    const presented = fromCookie ? request.cookies.refreshToken : given
    const opened = presented === undefined ? undefined : await rotate(deps, presented)
    if (opened === undefined) {
      // A link with a made-up token must not sign the browser out that follows it.
      if (fromCookie) cookies.close(reply)
      throw sessionEnded()
    }
    const access_token = await handOut(cookies, opened, request, reply)
    // What came in a cookie that no script reads does not leave in a body that scripts read.
    return { access_token, refresh_token: fromCookie ? inCookie : opened.refreshToken }
  }
  serveCall(scope, refresh, ({ refreshToken }, request, reply) => exchangeToken(refreshToken, request, reply))
  serveCall(scope, refreshByPost, ({ refreshToken }, request, reply) =>
    exchangeToken(refreshToken, request, reply),
  )
}

function personRoutes(scope: FastifyInstance, deps: Deps, cookies: Cookies): void {
  serveCall(scope, currentUser, async (_, request) => {
    const { accountId } = await scope.identity.signedIn(request)
    return userOf(deps.pool, accountId)
  })

  serveCall(scope, logout, async (_, request, reply) => {
    const { sessionId } = await scope.identity.signedIn(request)
    await revokeSession(deps.pool.kysely, sessionId, 'signed-out', deps.clock.now())
    cookies.close(reply)
    return { status: true }
  })
}

/** The calls of sign-in, as the contract declares them. */
export function routes(scope: FastifyInstance, deps: Deps): void {
  const cookies = new Cookies(deps.config)
  signInRoutes(scope, deps, cookies)
  tokenRoutes(scope, deps, cookies)
  personRoutes(scope, deps, cookies)
  serveCall(scope, authConfig, async () => ({
    google: false,
    country_lookup: null,
    demo_accounts: deps.config.demo ? demoAccounts : null,
  }))
}
