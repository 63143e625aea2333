import * as calls from '@portico/contract/calls/account.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { originOf } from '#identity/identity-context.ts'
import { done, type Parts } from '#identity/routes-parts.ts'
import { authenticate } from '#identity/sessions/authenticator.ts'
import { assertRecent } from '#identity/sessions/recent.ts'
import { refuse } from '#platform/errors/problem.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { closingOf } from './close-account.ts'
import { closeAccount } from './closing.ts'

/** The client who asks: staff have no account that they could close. */
async function client(request: FastifyRequest) {
  const actor = await authenticate(request)
  if (actor.kind !== 'client') throw refuse('account_holders_only')
  return actor
}

/** Closing the own account. There is no way to name another's: whose it is follows from who asks. */
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
