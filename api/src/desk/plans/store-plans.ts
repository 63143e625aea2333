import { sql } from 'kysely'
import { applyPlans, type Change } from '#money/pricing/file/import-plans.ts'
import type { PlanFile } from '#money/pricing/file/plan-file.ts'
import { refusalOf, refusalOfGap } from '#money/pricing/file/plan-refusals.ts'
import { gapsOf } from '#money/pricing/file/price-effect.ts'
import type { Database } from '#platform/db/pool.ts'
import { Problem } from '#platform/errors/problem.ts'
import { assertNone } from './compared.ts'

/** One file after the other, so that what was compared stays. */
export const lockPlans = (tx: Database) => sql`lock table price_lists in share row exclusive mode`.execute(tx)

/** Makes the changes of a compared file. Throws what only the database finds, about `field`. */
export async function storePlans(
  tx: Database,
  { file, changes, field }: { file: PlanFile; changes: readonly Change[]; field: string },
): Promise<void> {
  try {
    await applyPlans(tx, file, changes)
    const gaps = await gapsOf(tx)
    assertNone(gaps.map(refusalOfGap), field)
    await sql`set constraints all immediate`.execute(tx)
  } catch (error) {
    const refused = refusalOf(error)
    throw refused ? new Problem(refused, { cause: error }) : error
  }
}
