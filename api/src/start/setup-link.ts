import type { Env } from '#config/env.ts'
import { makeSetupLink } from '#identity/first-admin/setup-links.ts'
import { systemClock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'

type Started = { readonly pool: Pool; readonly isCopy: boolean }

/** A link for the first administrator of a new portal. A copy changes nothing, and a demo has its people. */
export async function setupLinkOf(
  { seed, publicUrl }: Env,
  { pool, isCopy }: Started,
): Promise<string | undefined> {
  if (seed === 'demo' || isCopy) return undefined
  return makeSetupLink({ db: pool.kysely, now: systemClock.now(), publicUrl })
}
