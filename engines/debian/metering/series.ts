import type { Store } from '../store/store.ts'
import { stepMs } from './counters.ts'

const steps = 288
const bytesOfGb = 1024 ** 3

/** The last day of a server, or of the nodes of a cluster together, in steps of five minutes. */
export function seriesOf(store: Store, uuids: readonly string[], now = Date.now()) {
  const first = (Math.floor(now / stepMs) - steps) * stepMs
  const marks = uuids.map(() => '?').join()
  const rows = store.all(
    `select step, sum(cpu) / sum(seconds) * 100 as cpu, sum(memory) as memory, sum(out) as out
     from steps where uuid in (${marks}) and step >= ? and seconds > 0 group by step`,
    ...[...uuids, first],
  )
  const byStep = new Map(rows.map((row) => [Number(row.step), row]))
  const of = (value: (row: Record<string, unknown>) => number) =>
    Array.from({ length: steps }, (_, at) => {
      const row = byStep.get(first + at * stepMs)
      return row ? Math.round(value(row) * 1000) / 1000 : null
    })
  return {
    start: new Date(first).toISOString(),
    step_seconds: stepMs / 1000,
    cpu_percent: of(({ cpu }) => Math.min(100, Number(cpu))),
    memory_gb: of(({ memory }) => Number(memory) / bytesOfGb),
    // LXD's metrics tell the size of the pool in its place.
    disk_gb: of(() => 0).map(() => null),
    out_mb: of(({ out }) => Number(out) / 1e6),
  }
}
