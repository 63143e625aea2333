import type { FastifyRequest } from 'fastify'
import { lifetimes } from '#identity/config.ts'
import type { Deps } from '#identity/deps.ts'
import type { Actor } from '#platform/context.ts'
import { notRecent } from '#platform/recent-sign-in.ts'
import { authenticate } from './authenticator.ts'
import { sessionEnded } from './refusal.ts'

/** The end of the time for which the last sign-in of a session counts as recent. */
export async function recentUntil({ pool }: Pick<Deps, 'pool'>, sessionId: string): Promise<Date> {
  const session = await pool.kysely
    .selectFrom('auth_sessions')
    .select('authenticated_at')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (session === undefined) throw sessionEnded()
  return new Date(Date.parse(session.authenticated_at) + lifetimes.recent)
}

/**
 * Requires an authentication within the last ten minutes, by signing in or by `/auth/confirm`; for every
 * change of sign-in methods. Throws `recent_sign_in_required`.
 */
export async function assertRecent(
  deps: Pick<Deps, 'pool' | 'clock'>,
  { sessionId }: Pick<Actor, 'sessionId'>,
): Promise<void> {
  const until = await recentUntil(deps, sessionId)
  if (until <= deps.clock.now()) throw notRecent()
}

/** The actor of a request, like `authenticate`, with a recent sign-in; see `assertRecent`. */
export async function authenticateRecent(
  deps: Pick<Deps, 'pool' | 'clock'>,
  request: FastifyRequest,
): Promise<Actor> {
  const actor = await authenticate(request)
  await assertRecent(deps, actor)
  return actor
}
