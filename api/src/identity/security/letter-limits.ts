import { emailKey } from '#identity/accounts.ts'
import { letterLimits } from '#identity/config.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { allow, assertAllowed, networkOf } from '#identity/sign-in/throttle.ts'

/** Counts somebody who asks for a letter without being signed in. Throws `attempts_too_many`, whatever address it is about. */
export function countAsker(deps: Deps, origin: Origin): Promise<void> {
  return inOne(deps, origin, (work) => assertAllowed(work, letterLimits.network, networkOf(origin.ip)))
}

/**
 * Whether an address may get another letter of a kind that strangers can cause: one a minute and three an hour, and not too
 * many in all. Counted for every address, known or not. Kinds count apart, so that none can be used up by means of another.
 */
export async function mayWrite(work: Work, kind: string, email: string): Promise<boolean> {
  const subject = `${kind}:${emailKey(email)}`
  return (
    (await allow(work, letterLimits.minute, subject)) &&
    (await allow(work, letterLimits.hour, subject)) &&
    (await allow(work, letterLimits.everywhere, ''))
  )
}
