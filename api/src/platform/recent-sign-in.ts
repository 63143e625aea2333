import { minuteMs } from '@portico/contract/time.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import type { Actor } from './context.ts'

/** How long a sign-in counts as recent, in milliseconds. */
export const recentMs = 10 * minuteMs

/** What is told to somebody whose sign-in is not recent. */
export const notRecent = (): Problem => refuse('recent_sign_in_required')

/** Lets only somebody go on who proved lately who they are. Throws `recent_sign_in_required`; programs never go on. */
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
