import type { Logger } from 'pino'
import { systemClock } from './adapters/clock.ts'
import type { EngineAdapters } from './adapters/engines.ts'
import type { Payments } from './adapters/payments.ts'
import { simulatedDay } from './adapters/simulated-usage.ts'
import type { Pool } from './db/pool.ts'
import type { Vault } from './db/vault.ts'
import type { Env } from './env.ts'
import { isThisMachine } from './env-values.ts'
import type { FileDoor } from './file-door.ts'
import { createAccount } from './identity/accounts.ts'
import { hashPassword } from './identity/crypto.ts'
import { mailRoom } from './mail-room.ts'
import { payByCards } from './services/demo-cards.ts'
import { requireSecondFactor, seedDemo } from './services/demo-seed.ts'
import { tillOn } from './services/till.ts'

type Parts = {
  /** With the token secret that was set or made. */
  readonly env: Env
  readonly pool: Pool
  readonly vault: Vault
  readonly engines: EngineAdapters
  readonly files: FileDoor
  readonly payments: Payments
  readonly log: Logger
  readonly signal: AbortSignal
}

/** Makes the demo's people, with their past, their cards and their tickets, unless they are there. */
export async function bringPeople(parts: Parts): Promise<void> {
  const { env, pool, vault, engines, files, payments, log, signal } = parts
  const clock = systemClock
  const { keepFile } = mailRoom({ env, pool, clock, vault, files })
  const useOfDay = simulatedDay
  const demo = { pool, clock, vault, engines, payments, useOfDay, keepFile, hashPassword, createAccount }
  await seedDemo({ ...demo, signal })
  await requireSecondFactor(pool.kysely, !isThisMachine(env.host))
  signal.throwIfAborted()
  // A demo in which nothing is paid today is a demo all the same.
  await payByCards(tillOn({ pool, vault, payments })).catch((error: unknown) =>
    log.warn({ err: error }, 'The cards of the demo are not used.'),
  )
}
