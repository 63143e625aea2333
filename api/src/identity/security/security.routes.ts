import {
  endOtherSessions,
  endSession,
  security,
  securityLog,
  sessions,
} from '@portico/contract/calls/account/security.ts'
import type { FastifyInstance } from 'fastify'
import { originOf } from '#identity/identity-context.ts'
import { done, type Parts } from '#identity/routes-parts.ts'
import { authenticate } from '#identity/sessions/authenticator.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import * as verbs from './security.ts'

/** The routes of the security page: sign-in methods and sessions. */
export function securityRoutes(scope: FastifyInstance, { deps, cookies }: Parts): void {
  serveCall(scope, security, async (_, request) => verbs.overview(deps, await authenticate(request)))

  serveCall(scope, securityLog, async ({ before }, request) =>
    verbs.securityLog(deps, await authenticate(request), before),
  )

  serveCall(scope, sessions, async (_, request) => verbs.listSessions(deps, await authenticate(request)))

  serveCall(scope, endSession, async ({ id }, request, reply) => {
    const person = await authenticate(request)
    await verbs.endSession(deps, person, { id, origin: originOf(request) })
    if (id === person.sessionId) cookies.close(reply)
    return done
  })

  serveCall(scope, endOtherSessions, async (_, request) => ({
    ended: await verbs.endOtherSessions(deps, await authenticate(request), originOf(request)),
  }))
}
