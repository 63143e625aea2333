import { createHash } from 'node:crypto'
import { compare, type Plan, unknownIn } from '#money/pricing/file/import-plans.ts'
import { exportPlans, type PlanFile } from '#money/pricing/file/plan-file.ts'
import { readPlanFile } from '#money/pricing/file/read-plan-file.ts'
import type { Database } from '#platform/db/pool.ts'
import { mostFaults, Problem, Problems, type Refusal } from '#platform/errors/problem.ts'

/** Throws what is refused, each for itself; does nothing where there is nothing. */
export function assertNone(refused: readonly Refusal[], about: string): void {
  if (refused.length === 0) return
  const source = { pointer: `/data/${about}` }
  throw new Problems(refused.slice(0, mostFaults).map((one) => new Problem(one, { source })))
}

/** The file in a text, which is the value of `field`. Throws `plan_file_too_large`, `plan_file_not_json`, `plan_file_value`, `plan_file_twice`. */
export function fileIn(text: string, field = 'text'): PlanFile {
  const read = readPlanFile(text)
  if ('file' in read) return read.file
  assertNone(read.refused, field)
  throw new Error('A file was refused without a reason.')
}

/** A hash of the comparison: of the portal's plans and prices, and of the file. */
export async function stateOf(tx: Database, file: PlanFile): Promise<string> {
  const both = JSON.stringify([await exportPlans(tx), file])
  return createHash('sha256').update(both).digest('hex')
}

/** The changes of a file, and everything that is wrong with them. */
export async function comparedTo(tx: Database, file: PlanFile): Promise<Plan> {
  const unknown = await unknownIn(tx, file)
  return unknown.length > 0 ? { changes: [], faults: unknown } : compare(tx, file)
}
