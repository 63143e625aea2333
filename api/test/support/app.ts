import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { type Env, readEnv } from '#config/env.ts'
import { recordedOffice } from '#money/invoices/vat/vat-office.ts'
import { paymentsOf } from '#money/payments/payments.routes.ts'
import { noOffice } from '#money/tax-office/configured-office.ts'
import { systemClock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { allowedHosts } from '#platform/egress.ts'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { fixedSettings } from '#platform/settings/settings.ts'
import { type AppParts, buildApp } from '#start/app.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { holdAnswers } from './openapi.ts'
import { tokenSecret } from './secret.ts'
import { temporaryFolder } from './temporary.ts'

export type TestApp = {
  readonly app: FastifyInstance
  /** Each line of the log, parsed. */
  readonly lines: Record<string, unknown>[]
}

const metricsToken = 'a token of the tests, and of 32 at least'.replaceAll(' ', '-')

/** How the metrics of a `testApp` are read. */
export const scrape = { url: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } } as const // Fixed.

type Settings = Partial<Omit<AppParts, 'env' | 'pool' | 'log'>> & { env?: Partial<Env> }

/** The real application on a pool, not yet listening; its log is kept for the test to read. Gone when the file ends. */
export async function testApp(pool: Pool, { env, ...parts }: Settings = {}): Promise<TestApp> {
  const lines: Record<string, unknown>[] = []
  const full = { ...readEnv({ SEED: 'none' }), tokenSecret, metricsToken, ...env }
  const log = pino({ level: full.logLevel }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const { clock = systemClock } = parts
  const allowed = allowedHosts(full.engineAllowedHosts)
  const engines = engineAdapters({ clock, publicUrl: full.publicUrl, allowed })
  const temporary = temporaryFolder()
  const files = { storage: await localStorage(temporary.folder), scanner: noScanner }
  const payments = paymentsOf(full, { pool, clock, secret: tokenSecret })
  const app = await buildApp({
    env: full,
    pool,
    clock,
    engines,
    log,
    files,
    payments,
    offices: noOffice(),
    settings: fixedSettings(full),
    vatOffice: recordedOffice([]),
    webDist: null,
    ...parts,
  })
  holdAnswers(app)
  afterAll(async () => {
    await app.close()
    await engines.close()
    temporary.remove()
  })
  return { app, lines }
}
