import { mostExportDays } from '@portico/contract/rules/money/accounting-exports.ts'
import { dayMs } from '@portico/contract/time.ts'
import { type More, refuse } from '#platform/errors/problem.ts'

/** Throws `export_period_reversed` and `export_period_most`, which name the place of the last day. */
export function assertPeriod(from: string, to: string, more: More): void {
  if (to < from) throw refuse('export_period_reversed', {}, more)
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days > mostExportDays) throw refuse('export_period_most', { days: mostExportDays }, more)
}
