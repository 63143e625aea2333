import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

/** The place of a plan's code in a request. */
export type Source = { readonly pointer: string } | { readonly parameter: string }

/**
 * A plan that a new panel can have, by its code. Throws `plan_not_offered`, at the place where the code was
 * sent.
 */
export async function offeredPlan(tx: Database, code: string, source: Source) {
  const plan = await tx
    .selectFrom('plans')
    .select(['id', 'code', 'needs_domain'])
    .where('code', '=', code)
    .where('state', '=', 'offered')
    .executeTakeFirst()
  if (!plan) throw refuse('plan_not_offered', {}, { source })
  return plan
}
