import {
  addPasskey,
  newPasskeyOptions,
  passkeys,
  removePasskey,
  renamePasskey,
} from '@portico/contract/calls/account/security.ts'
import { passkeyOptions, passkeyVerify } from '@portico/contract/calls/auth.ts'
import type { FastifyInstance } from 'fastify'
import { isToken, newToken } from '#identity/crypto.ts'
import { originOf } from '#identity/identity-context.ts'
import { done, type Parts } from '#identity/routes-parts.ts'
import { authenticate } from '#identity/sessions/authenticator.ts'
import { authenticateRecent } from '#identity/sessions/recent.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import * as verbs from './passkeys.ts'

function signInRoutes(scope: FastifyInstance, { deps, cookies, throttle }: Parts): void {
  serveCall(scope, passkeyOptions, async (_, request, reply) => {
    // Called whenever a sign-in page opens: another tab in the middle of a sign-in keeps its binding.
    const present = request.cookies.login_tx
    const binding = present !== undefined && isToken(present) ? present : newToken()
    const options = await verbs.passkeyOptions(deps, binding)
    cookies.bind(reply, binding)
    return { options: { ...options } }
  })

  serveCall(scope, passkeyVerify, async ({ response }, request) => {
    const given = { response, binding: request.cookies.login_tx ?? '', origin: originOf(request) }
    return { code: await verbs.verifyPasskey(deps, throttle, given) }
  })
}

/** The routes to sign in with a passkey, and to manage passkeys. */
export function passkeyRoutes(scope: FastifyInstance, parts: Parts): void {
  const { deps } = parts
  signInRoutes(scope, parts)

  serveCall(scope, passkeys, async (_, request) => {
    const { accountId } = await authenticate(request)
    return { passkeys: await verbs.passkeysOf(deps.pool.kysely, accountId) }
  })

  serveCall(scope, newPasskeyOptions, async (_, request) => {
    const actor = await authenticateRecent(deps, request)
    return { options: { ...(await verbs.newPasskeyOptions(deps, actor)) } }
  })

  serveCall(scope, addPasskey, async (input, request) => {
    const actor = await authenticateRecent(deps, request)
    return verbs.addPasskey(deps, actor, { ...input, origin: originOf(request) })
  })

  serveCall(scope, renamePasskey, async (input, request) => {
    const actor = await authenticateRecent(deps, request)
    return verbs.renamePasskey(deps, actor, { ...input, origin: originOf(request) })
  })

  serveCall(scope, removePasskey, async ({ id }, request) => {
    await verbs.removePasskey(deps, await authenticateRecent(deps, request), {
      id,
      origin: originOf(request),
    })
    return done
  })
}
