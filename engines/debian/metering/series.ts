import type { Store } from '../store/store.ts'
import { stepMs } from './counters.ts'

const steps = 288
const bytesOfGb = 1024 ** 3

/** The last day of a server, or of the nodes of a cluster together, in steps of five minutes. */
export function seriesOf(store: Store, uuids: readonly string[], now = Date.now()) {
  const first = (Math.floor(now / stepMs) - steps) * stepMs
  const marks = uuids.map(() => '?').join()
  const rows = store.all(
    `select step, sum(cpu) / sum(seconds) * 100 as cpu, sum(memory) as memory, sum(out) as out, sum(disk) as disk
     from steps where uuid in (${marks}) and step >= ? and seconds > 0 group by step`,
    ...[...uuids, first],
  )
  const byStep = new Map(rows.map((row) => [Number(row.step), row]))
  const of = (value: (row: Record<string, unknown>) => number | null) =>
    Array.from({ length: steps }, (_, at) => {
      const row = byStep.get(first + at * stepMs)
      const measured = row ? value(row) : null
      return measured === null ? null : Math.round(measured * 1000) / 1000
    })
  return {
    start: new Date(first).toISOString(),
    step_seconds: stepMs / 1000,
    cpu_percent: of(({ cpu }) => Math.min(100, Number(cpu))),
    memory_gb: of(({ memory }) => Number(memory) / bytesOfGb),
    disk_gb: of(({ disk }) => (disk === null ? null : Number(disk) / bytesOfGb)),
    out_mb: of(({ out }) => Number(out) / 1e6),
  }
}
