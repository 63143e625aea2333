import { minuteMs } from '@portico/contract/time.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import type { Actor } from './context.ts'

/** The time in milliseconds for which a sign-in counts as recent. */
export const recentMs = 10 * minuteMs

/** The refusal when the sign-in is not recent. */
export const notRecent = (): Problem => refuse('recent_sign_in_required')

/** Requires a recent sign-in. Throws `recent_sign_in_required`, always for programs. */
export function assertRecentSignIn({
  actor: { authenticatedAt },
  now,
}: {
  readonly actor: Pick<Actor, 'authenticatedAt'>
  readonly now: Date
}): void {
  if (authenticatedAt === undefined || Date.parse(authenticatedAt) + recentMs <= now.getTime())
    throw notRecent()
}
