import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { systemClock } from '../../src/adapters/clock.ts'
import { allowedHosts } from '../../src/adapters/egress.ts'
import { engineAdapters } from '../../src/adapters/engines.ts'
import { noScanner } from '../../src/adapters/file-scanner.ts'
import { localStorage } from '../../src/adapters/file-storage.ts'
import { recordedOffice } from '../../src/adapters/vat-office.ts'
import { type AppParts, buildApp } from '../../src/app.ts'
import type { Pool } from '../../src/db/pool.ts'
import { type Env, readEnv } from '../../src/env.ts'
import { paymentsOf } from '../../src/payments.ts'
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
