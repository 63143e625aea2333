import { clientHeader } from '@portico/contract/calls/auth.ts'
import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import { transact } from '#platform/db/transact.ts'
import type { DB } from '#platform/db/types.ts'
import type { Deps, Origin } from './deps.ts'

/** What a verb of identity is handed: its transaction, the time, what secrets are kept with, and where it was asked from. */
export type Work = Pick<Deps, 'vault' | 'keys'> & {
  readonly tx: Transaction<DB>
  readonly now: Date
  readonly origin: Origin
}

/** Whether a program asks, which takes its tokens from the body and gets no cookies. */
export const keepsOwnTokens = (request: FastifyRequest) => request.headers[clientHeader] === 'api'

/** Where a request came from, as it is kept with sessions and events. */
export function originOf(request: FastifyRequest): Origin {
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent'],
    device: request.cookies.device,
    program: keepsOwnTokens(request),
  }
}

/**
 * Runs a verb in one transaction: all of it happens, its letters and its events included, or nothing. Whoever writes to what
 * is counted does so first, then locks the account, then anything of it, so that no two wait for each other.
 */
export async function inOne<T>(
  { pool, clock, vault, keys }: Pick<Deps, 'pool' | 'clock' | 'vault' | 'keys'>,
  origin: Origin,
  verb: (work: Work) => Promise<T>,
): Promise<T> {
  return transact(pool.kysely, 'read write', (tx) => verb({ tx, now: clock.now(), vault, keys, origin }))
}
