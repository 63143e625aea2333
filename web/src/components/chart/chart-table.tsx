import { useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { type Column, columnTotal, type Series } from './series.ts'
import classes from './stacked-chart.module.css'

type Props = {
  label: string
  columns: readonly Column[]
  series: readonly Series[]
  format: (amount: number) => string
}

/** The figures of a chart as a table, rendered on demand. */
export function ChartTable({ label, columns, series, format }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{m.chart_table()}</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls focused elements only.
        <section className={classes.scroll} tabIndex={0} aria-label={m.chart_figures({ label })}>
          <table>
            <caption className="unseen">{label}</caption>
            <thead>
              <tr>
                <th scope="col">{m.usage_period()}</th>
                <th scope="col">{m.usage_total()}</th>
                {series.map(({ key, name }) => (
                  <th key={key} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {columns.map(({ key, name }, at) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  <td>{format(columnTotal(series, at))}</td>
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
