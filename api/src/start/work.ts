import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import { demoCompanies, demoVatNumbers } from '#demo/operator/operator.ts'
import { allChecks } from '#desk/checks/all-checks.ts'
import { requestChecks } from '#desk/checks/kept-checks.ts'
import { documentMaker } from '#money/invoices/documents/document-maker.ts'
import { officialRates } from '#money/invoices/rates/exchange-rates.ts'
import { requestRates } from '#money/invoices/rates/fx-rates.ts'
import { recordedOffice, viesOffice } from '#money/invoices/vat/vat-office.ts'
import type { Payments } from '#money/payments/providers/providers.ts'
import type { Offices } from '#money/tax-office/configured-office.ts'
import { requestWaitingLetters } from '#notifications/queue-letter.ts'
import { systemClock } from '#platform/clock.ts'
import type { Connection } from '#platform/db/connection.ts'
import type { Reads } from '#platform/db/hosts/reads.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { FileParts } from '#platform/files/file-parts.ts'
import { mailerOf } from '#platform/mail/transport/configured-mailer.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { Vault } from '#platform/vault.ts'
import { exportPartsOf } from '#privacy/data-export-parts.ts'
import { inboundMailParts } from '#tickets/inbound/inbound-mail-parts.ts'
import type { EngineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { remindEngine } from '#workspaces/engines/simulated/remind.ts'
import { simulateUsage } from '#workspaces/engines/simulated/report-usage.ts'
import { type Deliver, startSimulation } from '#workspaces/engines/simulated/simulation.ts'
import { restartable, startJobs } from './jobs.ts'
import { models } from './models.ts'

/** The parts that a start has opened so far, to be closed in the order of opening. */
type Start = { readonly log: Logger; readonly opened: (() => Promise<void>)[] }

/** The file storage, the payment providers and the tax office for documents. */
export type Services = { files: FileParts; payments: Payments; offices: Offices }

/** The opened database, and what is made with it. */
export type Prepared = {
  /** The configuration that follows what is entered at the desk, with the secret. */
  env: Env
  settings: Settings
  /** Calls back when it changed. */
  onChange: (listener: () => Promise<void>) => void
  connection: Connection
  pool: Pool
  reads: Reads
  secret: string
  vault: Vault
  engines: EngineAdapters
  isCopy: boolean
}

/** The address at which the portal reaches itself. */
export function ownOrigin(env: Env): string {
  const host = ['0.0.0.0', '::'].includes(env.host) ? '127.0.0.1' : env.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${env.port}`
}

/** Lets the built-in engine report by the route of all engines; returns its stop function. */
function simulate(env: Env, log: Logger, { pool, vault, engines }: Prepared): () => Promise<void> {
  const origin = ownOrigin(env)
  const engine = engines.simulated
  const deliver: Deliver = async ({ path, ...message }) =>
    (await fetch(`${origin}${path}`, { method: 'POST', ...message })).status
  const { stop } = startSimulation({
    engine,
    access: () => engineAccess({ db: pool.kysely, vault }, { code: 'simulated' }),
    deliver,
    meter: (meter) => simulateUsage({ db: pool.kysely, ...meter }),
    remind: (engineId) => remindEngine(pool.kysely, engine, engineId),
    failed: (error) => log.warn({ err: error }, 'The simulated engine could not report its events.'),
  })
  return stop
}

/** The tax office for VAT numbers. A demo uses recorded answers. */
export const vatOfficeOf = ({ seed }: Env) =>
  seed === 'demo' ? recordedOffice([...demoVatNumbers, ...demoCompanies]) : viesOffice

/** The document renderer, and the sources of VAT checks and rates; a demo calls no outside service. */
const bookkeeping = (env: Env) => ({
  documents: documentMaker(),
  exchangeRates:
    env.seed === 'demo' || env.exchangeRatesUrl === null ? null : officialRates(env.exchangeRatesUrl),
  vatOffice: vatOfficeOf(env),
})

type Books = ReturnType<typeof bookkeeping>

/** Starts the job queue by the configuration of this moment; returns its stop. */
async function startQueue(
  log: Logger,
  { env, connection, pool, reads, vault, engines }: Prepared,
  { files, payments, offices, ...books }: Services & Books,
): Promise<() => Promise<void>> {
  const clock = systemClock
  const mailer = await mailerOf(env, log)
  const post = {
    mailer,
    publicUrl: env.publicUrl,
    keepLetters: env.seed === 'demo',
    ...inboundMailParts({ env, pool, clock, vault, files }),
  }
  const partsOf = exportPartsOf({ pool, reads, models, ...files })
  const { taxOffice } = offices
  const { usageKeptDays } = env
  const services = { engines, payments, taxOffice, usageKeptDays, ...files, ...books }
  const nightly = env.databaseUrl === undefined && { dataDir: env.dataDir, connection }
  const findAll = () => allChecks(env, connection)
  try {
    if (mailer !== null) await requestWaitingLetters(pool.kysely)
    const jobs = await startJobs({ connection, log, partsOf, ...post, ...services, nightly, findAll })
    return async () => {
      await jobs.stop()
      mailer?.close()
    }
  } catch (error) {
    mailer?.close()
    throw error
  }
}

/** Starts the job queue and the built-in engine. The queue begins again when the settings change. */
export async function startWork(
  { log, opened }: Start,
  prepared: Prepared,
  services: Services,
): Promise<void> {
  const { env, pool, onChange } = prepared
  const books = bookkeeping(env)
  opened.push(books.documents.close)
  // At once, because a new installation cannot issue documents before.
  await requestRates(pool.kysely)
  const begin = async () => {
    await requestChecks(pool.kysely)
    return startQueue(log, prepared, { ...services, ...books })
  }
  const { again, stop } = await restartable(begin, (err) =>
    log.error({ err }, 'The job queue did not begin again.'),
  )
  onChange(again)
  opened.push(stop)
  opened.push(simulate(env, log, prepared))
}
