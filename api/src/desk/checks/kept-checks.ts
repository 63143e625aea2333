import type { Clock } from '#platform/clock.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Finding, FindingState } from './finding.ts'

/** The checks with their configuration, which only the start knows. */
export type CheckParts = { readonly findAll: () => Promise<Finding[]> }

const order: readonly FindingState[] = ['stop', 'warn', 'hint', 'good']

/** Queues a run of all checks; one that waits already is enough. */
export const requestChecks = (db: Database): Promise<void> =>
  enqueue(db, 'checks.run', {}, { key: 'checks.run', attempts: 1 })

/** Makes all checks, and keeps their results in place of the earlier ones, the worst first. */
export async function runChecks({
  pool,
  clock,
  findAll,
}: CheckParts & { readonly pool: Pool; readonly clock: Clock }): Promise<void> {
  const found = await findAll()
  const checked_at = clock.now().toISOString()
  const rows = found
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
    .map(({ about, state, words }) => ({
      about,
      state,
      words_en: words.en,
      words_ro: words.ro,
      checked_at,
    }))
  await pool.kysely.transaction().execute(async (tx) => {
    await tx.deleteFrom('checks').execute()
    if (rows.length > 0) await tx.insertInto('checks').values(rows).execute()
  })
}
