import {
  endOtherSessions,
  endSession,
  security,
  securityLog,
  sessions,
} from '@portico/contract/calls/security.ts'
import type { FastifyInstance } from 'fastify'
import { authenticate } from '../actor.ts'
import * as verbs from '../security.ts'
import { serveCall } from '../serve-call.ts'
import { originOf } from '../work.ts'
import { done, type Parts } from './parts.ts'

/** What the signed-in person sees of how they sign in, and where they are signed in. */
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
