import { identities, linkGoogle, unlinkIdentity } from '@portico/contract/calls/account/security.ts'
import type { FastifyInstance } from 'fastify'
import { inOne, originOf } from '#identity/identity-context.ts'
import { done } from '#identity/routes-parts.ts'
import { authenticate } from '#identity/sessions/authenticator.ts'
import { authenticateRecent } from '#identity/sessions/recent.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { type ExternalSignIn, startExternalSignIn } from './external.routes.ts'
import { identitiesOf, unlink } from './identities.ts'

/** The routes to list and unlink external identities. */
export function identityRoutes(scope: FastifyInstance, externalSignIn: ExternalSignIn): void {
  const { deps } = externalSignIn.parts

  serveCall(scope, identities, async (_, request) => {
    const { accountId } = await authenticate(request)
    return { identities: await identitiesOf(deps.pool.kysely, accountId) }
  })

  serveCall(scope, linkGoogle, async (_, request, reply) => {
    const { accountId } = await authenticateRecent(deps, request)
    return { url: await startExternalSignIn(externalSignIn, request, reply, accountId) }
  })

  serveCall(scope, unlinkIdentity, async ({ id }, request) => {
    const actor = await authenticateRecent(deps, request)
    await inOne(deps, originOf(request), (work) => unlink(work, actor, id))
    return done
  })
}
