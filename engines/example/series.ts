import type { Fields } from './offers.ts'

const steps = 288
const stepMs = 300_000

/** The last day of a server or cluster. The example measures nothing, so it draws a wave around the present load. */
export function seriesOf({ spec }: Fields): Fields {
  const { cpu_percent: cpu, memory_used_gb: memory = null, disk_used_gb: disk = null } = Object(spec)
  const first = (Math.floor(Date.now() / stepMs) - steps) * stepMs
  const of = (value: (step: number) => unknown) => Array.from({ length: steps }, (_, step) => value(step))
  return {
    start: new Date(first).toISOString(),
    step_seconds: stepMs / 1000,
    cpu_percent: of((step) => cpu * (1 + Math.sin((step * Math.PI) / steps) / 2)),
    memory_gb: of(() => memory),
    disk_gb: of(() => disk),
    // Nothing was measured in the first hour.
    out_mb: of((step) => (step < 12 ? null : cpu * 2)),
  }
}
