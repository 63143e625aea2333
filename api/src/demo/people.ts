import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import { isThisMachine } from '#config/env-values.ts'
import { createAccount } from '#identity/accounts.ts'
import { hashPassword } from '#identity/crypto.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import type { Payments } from '#money/payments/providers/providers.ts'
import { systemClock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { FileParts } from '#platform/files/file-parts.ts'
import type { Vault } from '#platform/vault.ts'
import { inboundMailParts } from '#tickets/inbound/inbound-mail-parts.ts'
import type { EngineAdapters } from '#workspaces/engines/adapters.ts'
import { simulatedDay } from '#workspaces/engines/simulated/usage-figures.ts'
import { payByCards } from './cards.ts'
import { requireSecondFactor, seedDemo } from './seed.ts'

type Parts = {
  /** With the configured or generated token secret. */
  readonly env: Env
  readonly pool: Pool
  readonly vault: Vault
  readonly engines: EngineAdapters
  readonly files: FileParts
  readonly payments: Payments
  readonly log: Logger
  readonly signal: AbortSignal
}

/** Seeds the demo's people with history, cards and tickets, unless they exist. */
export async function bringPeople(parts: Parts): Promise<void> {
  const { env, pool, vault, engines, files, payments, log, signal } = parts
  const clock = systemClock
  const { keepFile } = inboundMailParts({ env, pool, clock, vault, files })
  const useOfDay = simulatedDay
  const demo = { pool, clock, vault, engines, payments, useOfDay, keepFile, hashPassword, createAccount }
  await seedDemo({ ...demo, signal })
  await requireSecondFactor(pool.kysely, !isThisMachine(env.host))
  signal.throwIfAborted()
  // A failed payment of today must not fail the seed.
  await payByCards(paymentScopeOn({ pool, vault, payments })).catch((error: unknown) =>
    log.warn({ err: error }, 'The card payments of the demo failed.'),
  )
}
