import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { sum } from '../../ui/format.ts'
import { isUneven } from '../money/figures.ts'
import { ChartTable } from './chart-table.tsx'
import { type Column, columnTotal, type Series, scale } from './series.ts'
import classes from './stacked-chart.module.css'

type Props = {
  /** The subject of the chart, and the name of the total over all columns. */
  label: string
  whole: string
  columns: readonly Column[]
  series: readonly Series[]
  format: (amount: number) => string
}

const colour = (at: number) => `var(--series-${at + 1})`

/** The layers of one column, from the bottom up. */
function Stack({ series, at, top }: { series: readonly Series[]; at: number; top: number }) {
  let ground = 0
  return series.map(({ key, values }, place) => {
    const height = Math.max(0, values[at] ?? 0) / top
    ground += height
    return (
      height > 0 && (
        <rect key={key} x={at + 0.1} y={1 - ground} width={0.8} height={height} fill={colour(place)} />
      )
    )
  })
}

const moves: Partial<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** The selected column: under the pointer, or reached by arrow keys; none at first. */
function useRead(count: number) {
  const [chosen, read] = useState<number>()
  const last = count - 1
  const at = chosen === undefined ? undefined : Math.min(chosen, last)
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    read(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * count))))
  }
  const walk = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    read(Math.min(last, Math.max(0, move(at ?? last + 1, last))))
  }
  return { at, follow, walk, leave: () => read(undefined) }
}

function Legend({ series, at, format }: Pick<Props, 'series' | 'format'> & { at: number | undefined }) {
  return (
    <ul className={classes.legend}>
      {series.map(({ key, name, values }, place) => (
        <li key={key}>
          <span className={classes.swatch} style={{ background: colour(place) }} />
          <span className={classes.name}>{name}</span>
          <span className={classes.value}>{format(at === undefined ? sum(values) : (values[at] ?? 0))}</span>
        </li>
      ))}
    </ul>
  )
}

/**
 * A stacked column chart. The legend shows the amounts of the whole range or of the selected column, and a
 * button shows the same data as a table.
 */
export function StackedChart({ label, whole, columns, series, format }: Props) {
  const { at, follow, walk, leave } = useRead(columns.length)
  const totals = columns.map((_, place) => columnTotal(series, place))
  const ticks = scale(Math.max(0, ...totals))
  const top = ticks.at(-1) ?? 1
  const named = at === undefined ? whole : (columns[at]?.name ?? '')
  const shown = at === undefined ? sum(totals) : (totals[at] ?? 0)
  const amount = format(shown)
  const marked = [columns[0], columns[Math.floor((columns.length - 1) / 2)], columns.at(-1)]
  return (
    <figure className={classes.chart} aria-label={label}>
      <p className={classes.read}>
        <span>{named}</span> <strong>{amount}</strong>
      </p>
      <div className={classes.frame}>
        <div className={classes.scale} aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${(100 * tick) / top}%` }}>
              {format(tick)}
            </span>
          ))}
        </div>
        <div
          className={classes.plot}
          role="slider"
          tabIndex={0}
          aria-label={m.chart_read({ label })}
          aria-valuemin={0}
          aria-valuemax={columns.length - 1}
          aria-valuenow={at ?? columns.length - 1}
          aria-valuetext={`${named}: ${amount}`}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={leave}
          onBlur={leave}
          onKeyDown={walk}
        >
          {ticks.map((tick) => (
            <span key={tick} className={classes.line} style={{ bottom: `${(100 * tick) / top}%` }} />
          ))}
          <svg viewBox={`0 0 ${columns.length} 1`} preserveAspectRatio="none" aria-hidden="true">
            {at !== undefined && <rect className={classes.band} x={at} y={0} width={1} height={1} />}
            {columns.map(({ key }, place) => (
              <Stack key={key} series={series} at={place} top={top} />
            ))}
          </svg>
        </div>
        <div className={classes.marks} aria-hidden="true">
          {[...new Set(marked)].map((column) => column && <span key={column.key}>{column.short}</span>)}
        </div>
      </div>
      <Legend series={series} at={at} format={format} />
      {/* The note stays while a column is selected, so that nothing below it moves under a click. */}
      {isUneven(
        series.map(({ values }) => sum(values)),
        sum(totals),
      ) && <p className={classes.note}>{m.rounded_note()}</p>}
      <ChartTable label={label} columns={columns} series={series} format={format} />
    </figure>
  )
}
