import { advanceDay, businessDay } from '@portico/contract/calls/demo.ts'
import type { FastifyInstance } from 'fastify'
import type { Env } from '#config/env.ts'
import { authenticate } from '#identity/sessions/authenticator.ts'
import type { VatCheckParts } from '#money/invoices/vat/vat-checks.ts'
import { businessDay as dayOf } from '#platform/business-clock.ts'
import { assertLocalName } from '#platform/http/local-name.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import type { EngineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import type { Outside } from '#workspaces/engines/panel-engines.ts'
import { type Deliver, meterOf } from '#workspaces/engines/simulated/simulation.ts'
import { advanceDay as advance } from './advance-day.ts'

type Parts = Outside &
  VatCheckParts & {
    readonly env: Pick<Env, 'seed'>
    readonly engines: EngineAdapters
    readonly scheduled: readonly string[]
  }

/** Lets every signed-in person advance the demo by a day. Other installations have no such routes. */
export async function demoCalls(app: FastifyInstance, { env, scheduled, ...outside }: Parts): Promise<void> {
  if (env.seed !== 'demo') return
  const { pool, vault, engines } = outside
  const db = pool.kysely
  app.addHook('onRequest', async (request) => assertLocalName(request))
  // Uses the route of all engines, without the network.
  const deliver: Deliver = async ({ path, headers, body }) =>
    (await app.inject({ method: 'POST', url: path, headers, payload: body })).statusCode
  const simulation = async () => {
    const access = await engineAccess({ db, vault }, { code: 'simulated' })
    return access && { db, ...meterOf(engines.simulated, access, deliver) }
  }
  let turn: Promise<unknown> = Promise.resolve()
  serveCall(app, businessDay, async (_, request) => {
    await authenticate(request)
    return dayOf(db)
  })
  serveCall(app, advanceDay, async (_, request) => {
    await authenticate(request)
    // Days are serialized, however many people advance concurrently.
    const day = turn.then(async () => advance(outside, await simulation(), scheduled))
    turn = day.catch(() => undefined)
    return day
  })
}
