import path from 'node:path'
import { type RefusalCode, refusals } from '@portico/contract/refusals/index.ts'

/** One file for each process of a run: the codes of the refusals that its tests met. */
export const metFolder = path.join(import.meta.dirname, '../../../.cache/refusals-met')

/** Refusals that no test of this run can cause, each with the reason. */
const elsewhere: Partial<Record<RefusalCode, string>> = {}

/** Declared refusals that no test caused and that are not excused, and excuses that have become untrue; a line for each. */
export function unmetRefusals(met: ReadonlySet<string>): string[] {
  const codes = Object.keys(refusals)
  const missing = codes.filter((code) => !met.has(code) && !(code in elsewhere))
  const stale = Object.keys(elsewhere).filter((code) => met.has(code))
  return [
    ...missing.map(
      (code) =>
        `${code}: no test causes this refusal. Write one, or give the reason in ${import.meta.filename}.`,
    ),
    ...stale.map((code) => `${code}: a test causes it, so its excuse in ${import.meta.filename} has to go.`),
  ]
}
