import * as calls from '@portico/contract/calls/account.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors/problem.ts'
import { closingOf } from '../../services/close-account.ts'
import { authenticate } from '../actor.ts'
import { closeAccount } from '../closing.ts'
import { assertRecent } from '../recent.ts'
import { serveCall } from '../serve-call.ts'
import { originOf } from '../work.ts'
import { done, type Parts } from './parts.ts'

/** The client who asks: staff have no account that they could close. */
async function client(request: FastifyRequest) {
  const actor = await authenticate(request)
  if (actor.kind !== 'client') throw new Problem('forbidden', 'Only account holders can close an account.')
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
