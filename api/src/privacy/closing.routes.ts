import * as calls from '@portico/contract/calls/account/account.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { originOf } from '#identity/identity-context.ts'
import { done, type Parts } from '#identity/routes-parts.ts'
import { authenticate } from '#identity/sessions/authenticator.ts'
import { assertRecent } from '#identity/sessions/recent.ts'
import { refuse } from '#platform/errors/problem.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { closingOf } from './close-account.ts'
import { closeAccount } from './closing.ts'

/** The requesting client: staff have no account to close. */
async function client(request: FastifyRequest) {
  const actor = await authenticate(request)
  if (actor.kind !== 'client') throw refuse('account_holders_only')
  return actor
}

/** The routes to close one's own account. Another account cannot be named: it follows from the session. */
export function closingRoutes(scope: FastifyInstance, { deps, cookies }: Parts): void {
  serveCall(scope, calls.closing, async (_, request) =>
    closingOf(deps.pool.kysely, (await client(request)).id),
  )

  serveCall(scope, calls.closeAccount, async ({ email }, request, reply) => {
    const actor = await client(request)
    await assertRecent(deps, actor)
    await closeAccount(deps, actor, { email, origin: originOf(request) })
    cookies.close(reply)
    return done
  })
}
