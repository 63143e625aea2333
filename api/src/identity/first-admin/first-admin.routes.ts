import { checkSetupLink, createFirstAdmin } from '@portico/contract/calls/first-admin.ts'
import type { FastifyInstance } from 'fastify'
import { newToken } from '#identity/crypto.ts'
import { originOf } from '#identity/identity-context.ts'
import { done, type Parts } from '#identity/routes-parts.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { checkLink, createAdmin } from './first-admin.ts'
import { isSetUp } from './setup-state.ts'

/** The routes of the first administrator of a new portal. */
export function firstAdminRoutes(scope: FastifyInstance, { deps, cookies, throttle }: Parts): void {
  serveCall(scope, checkSetupLink, async ({ token }, request) => {
    await checkLink(deps, throttle, { token, origin: originOf(request) })
    return done
  })

  serveCall(scope, createFirstAdmin, async ({ token, ...applicant }, request, reply) => {
    const binding = newToken()
    const code = await createAdmin(deps, throttle, { token, origin: originOf(request), binding, applicant })
    cookies.bind(reply, binding)
    return { code }
  })

  // The page is one of the desk, and browsers keep the fragment when they are redirected.
  scope.get('/setup', { exposeHeadRoute: false }, async (request, reply) => {
    const isOpen = deps.config.deskOpenTo(request.ip) && !(await isSetUp(deps.pool.kysely))
    if (isOpen) return reply.redirect('/desk/begin')
    reply.callNotFound()
    return reply
  })
}
