import {
  recoveryCodes,
  twoFactorDisable,
  twoFactorEnable,
  twoFactorSetup,
} from '@portico/contract/calls/account/security.ts'
import { loginTwoFactor } from '@portico/contract/calls/auth.ts'
import type { FastifyInstance } from 'fastify'
import { originOf } from '#identity/identity-context.ts'
import type { Parts } from '#identity/routes-parts.ts'
import { authenticateRecent } from '#identity/sessions/recent.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { disable, enable, renewRecoveryCodes, secondStep, setUp } from './two-factor.ts'

/** The routes of the second step of sign-in, and of turning it on and off. */
export function twoFactorRoutes(scope: FastifyInstance, { deps, throttle }: Parts): void {
  serveCall(scope, loginTwoFactor, async ({ challenge, code }, request) => {
    const binding = request.cookies.login_tx ?? ''
    return {
      code: await secondStep(deps, throttle, { challenge, code, binding, origin: originOf(request) }),
    }
  })

  serveCall(scope, twoFactorSetup, async (_, request) =>
    setUp(deps, await authenticateRecent(deps, request), originOf(request)),
  )

  serveCall(scope, twoFactorEnable, async ({ code }, request) => {
    const actor = await authenticateRecent(deps, request)
    return { recovery_codes: await enable(deps, throttle, actor, { code, origin: originOf(request) }) }
  })

  serveCall(scope, twoFactorDisable, async ({ code }, request) => {
    const { accountId, sessionId } = await authenticateRecent(deps, request)
    await disable(deps, throttle, { accountId, sessionId, code, origin: originOf(request) })
    return { two_fa_enabled: 0 } as const
  })

  serveCall(scope, recoveryCodes, async ({ code }, request) => {
    const { accountId, sessionId } = await authenticateRecent(deps, request)
    const given = { accountId, sessionId, code, origin: originOf(request) }
    return { recovery_codes: await renewRecoveryCodes(deps, throttle, given) }
  })
}
