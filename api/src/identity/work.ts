import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import type { DB } from '../db/types.ts'
import type { Vault } from '../db/vault.ts'
import type { Deps, Origin } from './deps.ts'

/** What a verb of identity is handed: its transaction, the time, where secrets are sealed, and where it was asked from. */
export type Work = {
  readonly tx: Transaction<DB>
  readonly now: Date
  readonly vault: Vault
  readonly origin: Origin
}

/** Where a request came from, as it is kept with sessions and events. */
export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent'] }
}

/** Runs a verb in one transaction: all of it happens, its letters and its events included, or nothing. */
export function inOne<T>(
  { pool, clock, vault }: Pick<Deps, 'pool' | 'clock' | 'vault'>,
  origin: Origin,
  verb: (work: Work) => Promise<T>,
): Promise<T> {
  return pool.kysely.transaction().execute((tx) => verb({ tx, now: clock.now(), vault, origin }))
}
