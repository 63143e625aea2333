import { type ReactNode, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { usePrinting } from '../../ui/print/printing.ts'
import { type Column, columnTotal, type Series } from './series.ts'
import classes from './stacked-chart.module.css'

type Props = {
  label: string
  columns: readonly Column[]
  series: readonly Series[]
  format: (amount: number) => string
  /** The totals of a period earlier. */
  before?: { readonly name: string; readonly values: readonly number[] } | undefined
  /** The name of a column as a link. */
  linkOf?: ((column: Column) => ReactNode) | undefined
  /** Whether the amounts of a column add up. */
  withTotal?: boolean
}

/** The figures of a chart as a table, rendered on demand and on paper. */
export function ChartTable({ label, columns, series, format, before, linkOf, withTotal = true }: Props) {
  const [isUnfolded, setUnfolded] = useState(false)
  const isPrinting = usePrinting()
  const open = isUnfolded || isPrinting
  return (
    <details
      className={classes.details}
      open={open}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open && !isPrinting)}
    >
      <summary>{m.chart_table()}</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls focused elements only.
        <section className={classes.scroll} tabIndex={0} aria-label={m.chart_figures({ label })}>
          <table>
            <caption className="unseen">{label}</caption>
            <thead>
              <tr>
                <th scope="col">{m.usage_period()}</th>
                {withTotal && <th scope="col">{m.usage_total()}</th>}
                {before && <th scope="col">{before.name}</th>}
                {series.map(({ key, name }) => (
                  <th key={key} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {columns.map((column, at) => (
                <tr key={column.key}>
                  <th scope="row">{linkOf?.(column) ?? column.name}</th>
                  {withTotal && <td>{format(columnTotal(series, at))}</td>}
                  {before && <td>{format(before.values[at] ?? 0)}</td>}
                  {series.map((one) => (
                    <td key={one.key}>{format(one.values[at] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}
