import { useQuery } from '@tanstack/react-query'
import type { ActionOf, Output } from '../../../api/actions.ts'
import { action } from '../../../api/query.ts'
import { Pending, RowBones } from '../../../components/loaded.tsx'
import { m } from '../../../texts/compiled/messages.js'
import classes from './series.module.css'

type Series = Output<ActionOf<'servers', 'series'>>
type Values = Series['cpu_percent']

const width = 240
const height = 40
const keptMs = 60_000

/** Lines through the measured values; where nothing was measured there is a gap. */
function linesOf(values: Values, most: number): string[] {
  const lines: string[][] = [[]]
  values.forEach((value, at) => {
    if (value === null) lines.push([])
    else {
      const x = (at * width) / (values.length - 1)
      const y = 1 + (height - 2) * (1 - value / Math.max(most, 1e-9))
      lines.at(-1)?.push(`${x.toFixed(1)},${y.toFixed(1)}`)
    }
  })
  return lines.filter((line) => line.length > 0).map((line) => line.join(' '))
}

type ChartProps = {
  label: string
  values: Values
  top?: number | undefined
  format: (value: number) => string
}

/** A small chart; its figures stand next to it in words. `top`: the value at its upper edge. */
function Chart({ label, values, top, format }: ChartProps) {
  const known = values.filter((value) => value !== null)
  const last = known.at(-1)
  const most = Math.max(...known)
  return (
    <div className={classes.chart}>
      <dt>{label}</dt>
      <dd>
        {last === undefined ? m.series_none() : m.series_now({ now: format(last), most: format(most) })}
        {last !== undefined && (
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
            {linesOf(values, top ?? most).map((points) => (
              <polyline key={points} points={points} />
            ))}
          </svg>
        )}
      </dd>
    </div>
  )
}

const rounded = (value: number) => Math.round(value * 10) / 10
const percent = (value: number) => `${Math.round(value)}%`
const gigabytes = (value: number) => `${rounded(value)} GB`
const megabytes = (value: number) => `${rounded(value)} MB`

/** `memory`, `disk`: what there is of each in GB, the upper edge of its chart. */
type Of = { type: 'servers' | 'clusters'; id: number; memory: number; disk?: number }

/** The last day of a server or cluster, read when it is opened and kept for a minute. */
export function SeriesCharts({ type, id, memory, disk }: Of) {
  const query = useQuery({
    ...action(type, 'series', { id, payload: {} }),
    staleTime: keptMs,
    refetchInterval: keptMs,
  })
  const { data } = query
  return (
    <section className={classes.series} aria-label={m.series_title()}>
      <h3>{m.series_title()}</h3>
      {data ? (
        <dl>
          <Chart label={m.series_cpu()} values={data.cpu_percent} top={100} format={percent} />
          <Chart label={m.series_memory()} values={data.memory_gb} top={memory} format={gigabytes} />
          <Chart label={m.series_disk()} values={data.disk_gb} top={disk} format={gigabytes} />
          <Chart label={m.series_out()} values={data.out_mb} format={megabytes} />
        </dl>
      ) : (
        <Pending query={query}>
          <RowBones rows={4} />
        </Pending>
      )}
    </section>
  )
}
