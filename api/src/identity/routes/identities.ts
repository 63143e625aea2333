import { identities, linkGoogle, unlinkIdentity } from '@portico/contract/calls/security.ts'
import type { FastifyInstance } from 'fastify'
import { authenticate } from '../actor.ts'
import { identitiesOf, unlink } from '../identities.ts'
import { authenticateRecent } from '../recent.ts'
import { serveCall } from '../serve-call.ts'
import { inOne, originOf } from '../work.ts'
import { type Elsewhere, goElsewhere } from './elsewhere.ts'
import { done } from './parts.ts'

/** Keeping the accounts elsewhere that one signs in with. */
export function identityRoutes(scope: FastifyInstance, elsewhere: Elsewhere): void {
  const { deps } = elsewhere.parts

  serveCall(scope, identities, async (_, request) => {
    const { accountId } = await authenticate(request)
    return { identities: await identitiesOf(deps.pool.kysely, accountId) }
  })

  serveCall(scope, linkGoogle, async (_, request, reply) => {
    const { accountId } = await authenticateRecent(deps, request)
    return { url: await goElsewhere(elsewhere, request, reply, accountId) }
  })

  serveCall(scope, unlinkIdentity, async ({ id }, request) => {
    const actor = await authenticateRecent(deps, request)
    await inOne(deps, originOf(request), (work) => unlink(work, actor, id))
    return done
  })
}
