import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import { demoAccounts } from '#demo/accounts.ts'
import { demoCalls } from '#demo/demo.routes.ts'
import { outboxOfDemo } from '#demo/outbox.routes.ts'
import { deskFileRoutes } from '#desk/exports/desk-files.routes.ts'
import { measures } from '#desk/measures.ts'
import { identity } from '#identity/plugin.ts'
import { authenticateData, authenticateWithRights, namedBy } from '#identity/sessions/authenticator.ts'
import { keyRing } from '#identity/sessions/signing-keys.ts'
import { accountingExportRoutes } from '#money/exports/accounting-exports.routes.ts'
import { invoiceFileRoutes } from '#money/invoices/files.routes.ts'
import type { VatOffice } from '#money/invoices/vat/vat-office.ts'
import { paymentRoutes } from '#money/payments/payments.routes.ts'
import type { Payments } from '#money/payments/providers/providers.ts'
import { planFigures } from '#money/pricing/plan-figures.ts'
import type { Offices } from '#money/tax-office/configured-office.ts'
import { standInRoutes } from '#money/tax-office/stand-in/stand-in.routes.ts'
import { unsubscribeRoutes } from '#notifications/unsubscribe.routes.ts'
import { serveLogo } from '#platform/brand/logo.routes.ts'
import type { Clock } from '#platform/clock.ts'
import type { Ports } from '#platform/context.ts'
import { Reads } from '#platform/db/hosts/reads.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { FileParts } from '#platform/files/file-parts.ts'
import { drainable } from '#platform/http/connections/drain.ts'
import { requireOneHost } from '#platform/http/connections/one-host.ts'
import { serverOptions } from '#platform/http/connections/server-options.ts'
import { boundSlowClients } from '#platform/http/connections/slow-clients.ts'
import { followTraces } from '#platform/http/connections/traces.ts'
import { clientErrorHandler, frameworkErrors, sendFailure } from '#platform/http/errors.ts'
import { baseHeaders, dressAnswers } from '#platform/http/headers.ts'
import { health } from '#platform/http/health.ts'
import { limits } from '#platform/http/limits.ts'
import { createMetrics } from '#platform/http/metrics.ts'
import { logRequests } from '#platform/http/request-log.ts'
import { trustOf } from '#platform/http/trust.ts'
import { compression } from '#platform/http/web-app/compression.ts'
import { fallback, webFiles } from '#platform/http/web-app/web.ts'
import { jsonapi } from '#platform/jsonapi/http/plugin.ts'
import { apiDocs } from '#platform/openapi/plugin.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { makeVault } from '#platform/vault.ts'
import { closingRoutes } from '#privacy/closing.routes.ts'
import { dataExportRoutes } from '#privacy/data-exports.routes.ts'
import { holdGrants } from '#sharing/grants.ts'
import { ticketFileRoutes } from '#tickets/files/files.routes.ts'
import { inboundMailParts } from '#tickets/inbound/inbound-mail-parts.ts'
import { mailIngest } from '#tickets/inbound/mail.routes.ts'
import { usageIngest } from '#usage/ingest.routes.ts'
import type { EngineAdapters } from '#workspaces/engines/adapters.ts'
import { engineIngest } from '#workspaces/engines/engine-events.routes.ts'
import { simulatedConsole } from '#workspaces/engines/simulated/console.ts'
import { refuseChanges } from './copy-mode.ts'
import { describedTypes } from './described.ts'
import { models } from './models.ts'
import { served } from './registry.ts'
import { scheduledTasks } from './schedule.ts'

/** The parts of the application; the caller closes them. */
export type AppParts = {
  /** With the configured or generated token secret. */
  env: Env
  pool: Pool
  /** Without it, everything is read from `pool`. */
  reads?: Reads
  clock: Clock
  engines: EngineAdapters
  log: Logger
  files: FileParts
  payments: Payments
  vatOffice: VatOffice
  offices: Offices
  settings: Settings
  /** The folder of the built browser app; null serves the API alone. */
  webDist: string | null
  /** Whether this installation is a copy, which changes nothing; false by default. */
  isCopy?: boolean
  /** Resolves when the demo data is complete; programs wait for it, pages do not. */
  filled?: Promise<void>
}

type WholeParts = AppParts & { reads: Reads }

/** Holds requests until `filled` has resolved, so that nobody sees partial demo data. */
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

/** The systems outside the database that actions call. */
const portsOf = ({ pool, engines, payments, vatOffice, offices, settings, files }: WholeParts): Ports => ({
  engines,
  payments,
  vatOffice,
  planFigures,
  taxOffice: offices.taxOffice,
  settings,
  admission: { pool, ...files },
  documentFiles: { pool, storage: files.storage },
})

/** Makes clients revalidate each GET, because its content is personal. */
function askAnew(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET') reply.header('cache-control', 'private, no-cache')
    done()
  })
}

/** The files of documents, exports and tickets. */
async function fileRoutes(
  app: FastifyInstance,
  parts: Parameters<typeof deskFileRoutes>[1] &
    Parameters<typeof invoiceFileRoutes>[1] &
    Parameters<typeof ticketFileRoutes>[1],
): Promise<void> {
  await invoiceFileRoutes(app, parts)
  await accountingExportRoutes(app, parts)
  await deskFileRoutes(app, parts)
  await ticketFileRoutes(app, parts)
}

/** The interfaces for programs, including the browser app: sign-in and data. */
async function interfaces(app: FastifyInstance, parts: WholeParts): Promise<void> {
  const { env, pool, reads, clock, engines, files, payments, offices, settings, vatOffice } = parts
  if (env.tokenSecret === undefined)
    throw new Error('The application needs a token secret; see platform/token-secret.ts.')
  if (parts.isCopy) refuseChanges(app)
  if (parts.filled) holdUntil(app, parts.filled)
  await limits(app, { scale: env.rateLimitScale, who: namedBy })
  await compression(app)
  askAnew(app)
  const vault = makeVault(env.tokenSecret)
  await app.register(identity, {
    env,
    pool,
    clock,
    vault,
    brandName: () => settings.brand().name,
    keys: keyRing(env.tokenSecret),
    additions: { calls: [closingRoutes], demoAccounts: env.seed === 'demo' ? demoAccounts : null },
  })
  await engineIngest(app, { pool, clock, vault })
  await usageIngest(app, { pool, clock, vault })
  simulatedConsole(app, engines.simulated)
  const room = inboundMailParts({ env, pool, clock, vault, files })
  await mailIngest(app, { pool, clock, secret: () => env.mailInboundSecret })
  await app.register(outboxOfDemo, { env, pool, vault, room, storage: files.storage })
  await app.register(demoCalls, { env, pool, clock, vault, engines, vatOffice, scheduled: scheduledTasks })
  await fileRoutes(app, { pool, reads, clock, models, authenticate: authenticateWithRights, ...files })
  await dataExportRoutes(app, { pool, clock, ...files })
  await unsubscribeRoutes(app, { pool, vault })
  await paymentRoutes(app, { pool, vault, payments })
  if (offices.standIn) await standInRoutes(app, offices.standIn)
  apiDocs(app, describedTypes)
  await jsonapi(app, {
    pool,
    reads,
    clock,
    vault,
    ports: portsOf(parts),
    served: Object.values(served),
    authenticate: authenticateData,
    hold: holdGrants,
  })
}

/** Wires the server: common hooks first, then health, the interfaces for programs, and the browser app. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { env, pool, reads = new Reads(pool), webDist, filled, isCopy } = parts
  const trust = trustOf(env.trustedProxies)
  const dress = baseHeaders(env)
  const log: FastifyBaseLogger = parts.log
  const app = Fastify({
    ...serverOptions(log, trust, env.proxyDecidesTraces ? trust : () => false),
    frameworkErrors: frameworkErrors(dress),
    clientErrorHandler: clientErrorHandler(dress),
  })
  const metrics = createMetrics({ pool, reads }, measures, env.usageKeptDays)
  logRequests(app, metrics)
  followTraces(app)
  dressAnswers(app, dress)
  requireOneHost(app)
  drainable(app)
  boundSlowClients(app)
  app.setErrorHandler(sendFailure)
  fallback(app, webDist, env, { isCopy, brand: parts.settings.brand })
  const measurer = trustOf(env.metricsNetworks)
  health(app, { pool, metrics, measurer, metricsToken: env.metricsToken, filled, isCopy })
  await app.register(interfaces, { ...parts, reads })
  serveLogo(app, pool)
  await webFiles(app, webDist, env)
  return app
}
