import { advanceDay, businessDay } from '@portico/contract/calls/demo.ts'
import type { FastifyInstance } from 'fastify'
import type { EngineAdapters } from './adapters/engines.ts'
import { type Deliver, meterOf } from './adapters/simulation.ts'
import type { Env } from './env.ts'
import { assertLocalName } from './http/local-name.ts'
import { authenticate } from './identity/actor.ts'
import { serveCall } from './identity/serve-call.ts'
import { scheduledTasks } from './jobs/schedule.ts'
import { advanceDay as advance } from './services/advance-day.ts'
import { businessDay as dayOf } from './services/business-clock.ts'
import { engineAccess } from './services/engine-access.ts'
import type { Outside } from './services/panel-engines.ts'
import type { VatDesk } from './services/vat-checks.ts'

type Parts = Outside & VatDesk & { readonly env: Pick<Env, 'seed'>; readonly engines: EngineAdapters }

/** Lets whoever is signed in to a demo move its business on by a day. Anywhere else these addresses do not exist. */
export async function demoCalls(app: FastifyInstance, { env, ...outside }: Parts): Promise<void> {
  if (env.seed !== 'demo') return
  const { pool, vault, engines } = outside
  const db = pool.kysely
  app.addHook('onRequest', async (request) => assertLocalName(request))
  // By the door that every engine comes by, without the way around the network.
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
    // Days follow one another, however many people press at once.
    const day = turn.then(async () => advance(outside, await simulation(), scheduledTasks))
    turn = day.catch(() => undefined)
    return day
  })
}
