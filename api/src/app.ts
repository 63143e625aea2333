import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from './adapters/clock.ts'
import type { EngineAdapters } from './adapters/engines.ts'
import type { Payments } from './adapters/payments.ts'
import { simulatedConsole } from './adapters/simulated-console.ts'
import type { VatOffice } from './adapters/vat-office.ts'
import { dataExportRoutes } from './data-exports.ts'
import type { Pool } from './db/pool.ts'
import { makeVault } from './db/vault.ts'
import { demoCalls } from './demo.ts'
import type { Env } from './env.ts'
import type { FileDoor } from './file-door.ts'
import { ticketFileRoutes } from './files.ts'
import { compression } from './http/compression.ts'
import { drainable } from './http/drain.ts'
import { clientErrorHandler, frameworkErrors, sendFailure } from './http/errors.ts'
import { baseHeaders, dressAnswers } from './http/headers.ts'
import { health } from './http/health.ts'
import { limits } from './http/limits.ts'
import { createMetrics } from './http/metrics.ts'
import { requireOneHost } from './http/one-host.ts'
import { logRequests } from './http/request-log.ts'
import { serverOptions } from './http/server-options.ts'
import { boundSlowClients } from './http/slow-clients.ts'
import { trustOf } from './http/trust.ts'
import { fallback, webFiles } from './http/web.ts'
import { authenticate, authenticateData, namedBy } from './identity/actor.ts'
import { keyRing } from './identity/keys.ts'
import { identity } from './identity/plugin.ts'
import { engineIngest } from './ingest/engine-events.ts'
import { mailIngest } from './ingest/mail.ts'
import { usageIngest } from './ingest/usage.ts'
import { invoiceFileRoutes } from './invoice-files.ts'
import { jsonapi } from './jsonapi/plugin.ts'
import { mailRoom } from './mail-room.ts'
import { describedTypes } from './openapi/described.ts'
import { apiDocs } from './openapi/plugin.ts'
import { outboxOfDemo } from './outbox.ts'
import { paymentDoors } from './payments.ts'
import { served } from './resources/index.ts'
import { holdGrants } from './services/grants.ts'

/** What the application is made from; whoever made it closes it. */
export type AppParts = {
  /** With the token secret that was set or made. */
  env: Env
  pool: Pool
  clock: Clock
  engines: EngineAdapters
  log: Logger
  files: FileDoor
  payments: Payments
  vatOffice: VatOffice
  /** The folder of the built browser app; null serves the API alone. */
  webDist: string | null
  /** Resolves when what everybody finds here is there; programs wait for it. Pages do not. */
  filled?: Promise<void>
}

/** Lets requests in when `filled` has resolved: nobody sees half of what will be there. */
function holdUntil(app: FastifyInstance, filled: Promise<void>): void {
  let open = false
  filled.then(
    () => {
      open = true
    },
    () => undefined,
  )
  app.addHook('onRequest', (_request, _reply, done) => {
    if (open) done()
    else filled.then(() => done(), done)
  })
}

/** What programs talk to, the browser app among them: sign-in and the data. */
async function interfaces(
  app: FastifyInstance,
  { env, pool, clock, engines, files, payments, vatOffice, filled }: AppParts,
): Promise<void> {
  if (env.tokenSecret === undefined)
    throw new Error('The application needs a token secret; see db/token-secret.ts.')
  if (filled) holdUntil(app, filled)
  await limits(app, { scale: env.rateLimitScale, who: namedBy })
  await compression(app)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET') reply.header('cache-control', 'private, no-cache')
    done()
  })
  const vault = makeVault(env.tokenSecret)
  await app.register(identity, { env, pool, clock, vault, keys: keyRing(env.tokenSecret) })
  await engineIngest(app, { pool, clock, vault })
  await usageIngest(app, { pool, clock, vault })
  simulatedConsole(app, engines.simulated)
  const room = mailRoom({ env, pool, clock, vault, files })
  await mailIngest(app, { pool, secret: env.mailInboundSecret })
  await app.register(outboxOfDemo, { env, pool, vault, room })
  await app.register(demoCalls, { env, pool, clock, vault, engines, vatOffice })
  await invoiceFileRoutes(app, { pool, authenticate, ...files })
  await ticketFileRoutes(app, { pool, authenticate, ...files })
  await dataExportRoutes(app, { pool, clock, ...files })
  await paymentDoors(app, { pool, vault, payments })
  apiDocs(app, describedTypes)
  await jsonapi(app, {
    pool,
    clock,
    vault,
    ports: { engines, payments, vatOffice },
    served: Object.values(served),
    authenticate: authenticateData,
    hold: holdGrants,
  })
}

/** Wires the server: what is told to every answer, then health, the interfaces for programs, and the browser app. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { env, pool, webDist, filled } = parts
  const trust = trustOf(env.trustedProxies)
  const dress = baseHeaders(env.publicUrl)
  const log: FastifyBaseLogger = parts.log
  const app = Fastify({
    ...serverOptions(log, trust),
    frameworkErrors: frameworkErrors(dress),
    clientErrorHandler: clientErrorHandler(dress),
  })
  const metrics = createMetrics(pool)
  logRequests(app, metrics)
  dressAnswers(app, dress)
  requireOneHost(app)
  drainable(app)
  boundSlowClients(app)
  app.setErrorHandler(sendFailure)
  fallback(app, webDist, env)
  health(app, { pool, metrics, trust, metricsToken: env.metricsToken, filled })
  await app.register(interfaces, parts)
  await webFiles(app, webDist)
  return app
}
