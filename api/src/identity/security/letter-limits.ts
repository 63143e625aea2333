import { emailKey } from '#identity/accounts.ts'
import { letterLimits } from '#identity/config.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { allow, assertAllowed, networkOf } from '#identity/sign-in/throttle.ts'

/** Counts an anonymous request for a letter. Throws `attempts_too_many`, independent of the address in it. */
export function countAsker(deps: Deps, origin: Origin): Promise<void> {
  return inOne(deps, origin, (work) => assertAllowed(work, letterLimits.network, networkOf(origin.ip)))
}

/**
 * Whether an address may get another letter of a kind that strangers can trigger: one a minute and three an
 * hour, within the global limit. Counted for every address, known or not. Kinds are counted separately, so
 * that one cannot exhaust another.
 */
export async function mayWrite(work: Work, kind: string, email: string): Promise<boolean> {
  const subject = `${kind}:${emailKey(email)}`
  return (
    (await allow(work, letterLimits.minute, subject)) &&
    (await allow(work, letterLimits.hour, subject)) &&
    (await allow(work, letterLimits.everywhere, ''))
  )
}
