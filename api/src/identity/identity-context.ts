import { clientHeader } from '@portico/contract/calls/auth.ts'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import type { Deps, Origin } from './deps.ts'

/**
 * The context of an identity verb: its transaction, the time, the vault and keys, and the origin of the
 * request.
 */
export type Work = Pick<Deps, 'vault' | 'keys'> & {
  readonly tx: Database
  readonly now: Date
  readonly origin: Origin
}

/** Whether the client is a program, which takes its tokens from the body and gets no cookies. */
export const keepsOwnTokens = (request: FastifyRequest) => request.headers[clientHeader] === 'api'

/** The origin of a request, as stored with sessions and events. */
export function originOf(request: FastifyRequest): Origin {
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent'],
    device: request.cookies.device,
    program: keepsOwnTokens(request),
  }
}

/**
 * Runs a verb in one transaction, including its letters and events. Lock order: first counters, then the
 * account, then its rows, which avoids deadlocks.
 */
export async function inOne<T>(
  { pool, clock, vault, keys }: Pick<Deps, 'pool' | 'clock' | 'vault' | 'keys'>,
  origin: Origin,
  verb: (work: Work) => Promise<T>,
): Promise<T> {
  return transact(pool.kysely, 'read write', (tx) => verb({ tx, now: clock.now(), vault, keys, origin }))
}
