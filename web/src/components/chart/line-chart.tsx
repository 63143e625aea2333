import { m } from '../../texts/compiled/messages.js'
import { ChartTable } from './chart-table.tsx'
import classes from './line-chart.module.css'
import { useRead } from './reading.ts'
import { type Column, scale } from './series.ts'
import frame from './stacked-chart.module.css'

type Limit = { readonly at: number; readonly name: string; readonly tone: 'warn' | 'bad' }

type Props = {
  label: string
  /** The name of the values. */
  name: string
  columns: readonly Column[]
  values: readonly number[]
  /** The column of today, after which the values are expected. */
  today: number
  /** Amounts that are marked across the chart; of two, the names stand at different ends. */
  limits?: readonly Limit[]
  format: (amount: number) => string
  /** The figures of the scale, where they are shorter than the amounts. */
  mark?: (amount: number) => string
}

/** The share of the width that a mark of the axis takes. */
const room = 0.15

/** Points of a line in the plot, whose height is 1; each is in the middle of its column. */
const pointsOf = (values: readonly number[], from: number, height: (value: number) => number) =>
  values.map((value, at) => `${from + at + 0.5},${1 - height(value)}`).join(' ')

/** A line over days: solid until today, then dashed. The same data is in a table behind a button. */
export function LineChart({
  label,
  name,
  columns,
  values,
  today,
  limits = [],
  format,
  mark = format,
}: Props) {
  const { at, follow, walk, leave } = useRead(columns.length)
  const ticks = scale(Math.max(...values), Math.min(...values))
  const [bottom = 0, top = 1] = [ticks[0], ticks.at(-1)]
  const height = (value: number) => (value - bottom) / (top - bottom)
  const place = (value: number) => `${100 * height(value)}%`
  const read = at ?? today
  const named = columns[read]?.name ?? ''
  const amount = format(values[read] ?? 0)
  const past = pointsOf(values.slice(0, today + 1), 0, height)
  return (
    <figure className={`${frame.chart} ${classes.flush}`} aria-label={label}>
      <p className={frame.read}>
        <span>{named}</span> <strong>{amount}</strong>
      </p>
      <div className={frame.frame}>
        <div className={frame.scale} aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: place(tick) }}>
              {mark(tick)}
            </span>
          ))}
        </div>
        <div
          className={frame.plot}
          role="slider"
          tabIndex={0}
          aria-label={m.chart_read({ label })}
          aria-valuemin={0}
          aria-valuemax={columns.length - 1}
          aria-valuenow={read}
          aria-valuetext={`${named}: ${amount}`}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={leave}
          onBlur={leave}
          onKeyDown={walk}
        >
          {ticks.map((tick) => (
            <span
              key={tick}
              className={`${frame.line} ${tick === 0 ? classes.zero : ''}`}
              style={{ bottom: place(tick) }}
            />
          ))}
          <svg viewBox={`0 0 ${columns.length} 1`} preserveAspectRatio="none" aria-hidden="true">
            {at !== undefined && <rect className={frame.band} x={at} y={0} width={1} height={1} />}
            <polygon
              className={classes.area}
              points={`0.5,${1 - height(0)} ${past} ${today + 0.5},${1 - height(0)}`}
            />
            <polyline className={classes.past} points={past} />
            <polyline className={classes.ahead} points={pointsOf(values.slice(today), today, height)} />
          </svg>
          {limits
            .filter((limit) => limit.at >= bottom)
            .map((limit) => (
              <span
                key={limit.tone}
                className={`${classes.limit} ${classes[limit.tone]}`}
                style={{ bottom: place(limit.at) }}
              >
                {limit.name}
              </span>
            ))}
        </div>
        <div className={classes.marks} aria-hidden="true">
          {today > columns.length * room && <span>{columns[0]?.short}</span>}
          {today < Math.min(columns.length - 1, columns.length * (1 - room)) && (
            <span className={classes.today} style={{ left: `${(100 * (today + 0.5)) / columns.length}%` }}>
              {columns[today]?.short}
            </span>
          )}
          <span className={classes.last}>{columns.at(-1)?.short}</span>
        </div>
      </div>
      <ChartTable
        label={label}
        columns={columns}
        series={[{ key: 'value', name, values }]}
        format={format}
        withTotal={false}
      />
    </figure>
  )
}
