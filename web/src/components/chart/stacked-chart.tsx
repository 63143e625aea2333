import type { ReactNode } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { sum } from '../../ui/format.ts'
import { isUneven } from '../money/figures.ts'
import { ChartTable } from './chart-table.tsx'
import { useRead } from './reading.ts'
import { type Column, columnTotal, layered, type Series, scale } from './series.ts'
import classes from './stacked-chart.module.css'

type Props = {
  /** The subject of the chart, and the name of the total over all columns. */
  label: string
  whole: string
  columns: readonly Column[]
  series: readonly Series[]
  format: (amount: number) => string
  /** The figures of the scale, where they are shorter than the amounts. */
  mark?: ((amount: number) => string) | undefined
  /** The decimals of the amounts, by default two. */
  decimals?: 0 | 2
  /** The totals of the same columns a period earlier, as a line behind the stacks. */
  before?: Values | undefined
  /** Opens a column, by a click or Enter, and by a link in the table. */
  onOpen?: ((key: string) => void) | undefined
  linkOf?: ((column: Column) => ReactNode) | undefined
}

type Values = { readonly name: string; readonly values: readonly number[] }

/** The sum of the others is grey. */
const colour = ({ isRest }: Series, at: number) => `var(--series-${isRest ? 7 : at + 1})`

const week = 7
/** So many dates fit beneath a chart. */
const mostMarks = 7

/** Whether a column has its date beneath it: each week, or as many as fit, back from the last one. */
function isMarked(place: number, count: number): boolean {
  const step =
    count <= 2 * mostMarks ? Math.ceil(count / mostMarks) : week * Math.ceil(count / (week * mostMarks))
  return (count - 1 - place) % step === 0
}

/** The layers of one column, from the bottom up. */
function Stack({ series, at, top }: { series: readonly Series[]; at: number; top: number }) {
  let ground = 0
  return layered(series).map((one) => {
    const height = Math.max(0, one.values[at] ?? 0) / top
    const fill = colour(one, series.indexOf(one))
    ground += height
    return (
      height > 0 && <rect key={one.key} x={at + 0.1} y={1 - ground} width={0.8} height={height} fill={fill} />
    )
  })
}

function Legend({
  series,
  before,
  at,
  format,
}: Pick<Props, 'series' | 'before' | 'format'> & { at: number | undefined }) {
  const read = (values: readonly number[]) => format(at === undefined ? sum(values) : (values[at] ?? 0))
  return (
    <ul className={classes.legend}>
      {series.map((one, place) => (
        <li key={one.key}>
          <span className={classes.swatch} style={{ background: colour(one, place) }} />
          <span className={classes.name}>{one.name}</span>
          <span className={classes.value}>{read(one.values)}</span>
        </li>
      ))}
      {before && (
        <li>
          <span className={`${classes.swatch} ${classes.dashes}`} />
          <span className={classes.name}>{before.name}</span>
          <span className={classes.value}>{read(before.values)}</span>
        </li>
      )}
    </ul>
  )
}

/** The line of a period before, and its entry in the legend. */
function Ghost({ values, top }: { values: readonly number[]; top: number }) {
  const points = values.map((value, at) => `${at + 0.5},${1 - Math.max(0, value) / top}`).join(' ')
  return <polyline className={classes.ghost} points={points} />
}

/** Hatching over the stack of a column that is not over, drawn by the page because the plot is stretched. */
function Hatching({
  columns,
  totals,
  top,
}: {
  columns: readonly Column[]
  totals: readonly number[]
  top: number
}) {
  return columns.map(
    ({ key, isOpen }, at) =>
      isOpen && (
        <span
          key={key}
          className={classes.hatching}
          style={{
            left: `${(100 * (at + 0.1)) / columns.length}%`,
            width: `${80 / columns.length}%`,
            height: `${(100 * (totals[at] ?? 0)) / top}%`,
          }}
        />
      ),
  )
}

/**
 * A stacked column chart. The legend shows the amounts of the whole range or of the selected column, and a
 * button shows the same data as a table.
 */
export function StackedChart({
  label,
  whole,
  columns,
  series,
  format,
  mark = format,
  decimals = 2,
  before,
  onOpen,
  linkOf,
}: Props) {
  const { at, follow, walk, leave } = useRead(columns.length)
  const totals = columns.map((_, place) => columnTotal(series, place))
  const ticks = scale(Math.max(0, ...totals, ...(before?.values ?? [])))
  const top = ticks.at(-1) ?? 1
  const named = at === undefined ? whole : (columns[at]?.name ?? '')
  const shown = at === undefined ? sum(totals) : (totals[at] ?? 0)
  const amount = format(shown)
  const open = () => {
    const column = at === undefined ? undefined : columns[at]
    if (column) onOpen?.(column.key)
  }
  return (
    <figure className={classes.chart} aria-label={label}>
      <p className={classes.read}>
        <span>{named}</span> <strong>{amount}</strong>
        {/* The note stays while a column is selected, so that nothing below it moves under a click. */}
        {isUneven(
          series.map(({ values }) => sum(values)),
          sum(totals),
          decimals,
        ) && <span className={classes.note}>{m.rounded_note()}</span>}
      </p>
      <div className={classes.frame}>
        <div className={classes.scale} aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${(100 * tick) / top}%` }}>
              {mark(tick)}
            </span>
          ))}
        </div>
        <div
          className={`${classes.plot} ${onOpen ? classes.opens : ''}`}
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
          aria-description={onOpen && m.chart_open()}
          onClick={open}
          onKeyDown={(event) => (event.key === 'Enter' ? open() : walk(event))}
        >
          {ticks.map((tick) => (
            <span key={tick} className={classes.line} style={{ bottom: `${(100 * tick) / top}%` }} />
          ))}
          <svg viewBox={`0 0 ${columns.length} 1`} preserveAspectRatio="none" aria-hidden="true">
            {at !== undefined && <rect className={classes.band} x={at} y={0} width={1} height={1} />}
            {columns.map(({ key }, place) => (
              <Stack key={key} series={series} at={place} top={top} />
            ))}
            {before && <Ghost values={before.values} top={top} />}
          </svg>
          <Hatching columns={columns} totals={totals} top={top} />
        </div>
        <div className={classes.dates} aria-hidden="true">
          {columns.map(
            ({ key, short }, place) =>
              isMarked(place, columns.length) && (
                <span key={key} style={{ left: `${(100 * (place + 0.5)) / columns.length}%` }}>
                  {short}
                </span>
              ),
          )}
        </div>
      </div>
      <Legend series={series} before={before} at={at} format={format} />
      <ChartTable
        label={label}
        columns={columns}
        series={series}
        before={before}
        format={format}
        linkOf={linkOf}
      />
    </figure>
  )
}
