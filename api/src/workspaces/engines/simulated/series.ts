import { type EngineSeries, seriesStep, seriesValues } from '@portico/contract/engine/readings.ts'
import type { ResourceKind } from '@portico/contract/engine/wire.ts'
import type { EngineResource } from '#workspaces/engines/panel-engine.ts'
import { listing, type Tenant } from './tenant.ts'

const stepMs = seriesStep * 1000

const isMachine = (one: EngineResource): one is EngineResource<'server'> | EngineResource<'cluster'> =>
  one.kind !== 'domain'

/** The last day of a server or cluster, by the same curves as its present load; undefined where it is not there. */
export function seriesOf(of: Tenant, kind: ResourceKind, id: string, now: Date): EngineSeries | undefined {
  const at = (moment: Date) => listing[kind](of, moment).find(({ externalId }) => externalId === id)
  const machine = at(now)
  if (!machine || !isMachine(machine)) return undefined
  const { spec } = machine
  const first = (Math.floor(now.getTime() / stepMs) - seriesValues) * stepMs
  const cpu_percent = Array.from({ length: seriesValues }, (_, step) => {
    const then = at(new Date(first + step * stepMs))
    return then && isMachine(then) ? then.spec.cpu_percent : null
  })
  const memory = 'memory_used_gb' in spec ? (spec.memory_used_gb ?? null) : spec.memory_gb / 2
  const disk = 'disk_used_gb' in spec ? (spec.disk_used_gb ?? null) : null
  const tenths = (value: number) => Math.round(value * 10) / 10
  return {
    start: new Date(first).toISOString(),
    step_seconds: seriesStep,
    cpu_percent,
    memory_gb: cpu_percent.map((cpu) =>
      cpu === null || memory === null ? null : tenths(memory * (0.9 + cpu / 1000)),
    ),
    disk_gb: cpu_percent.map(() => disk),
    out_mb: cpu_percent.map((cpu) => (cpu === null ? null : tenths(cpu * 1.7))),
  }
}
