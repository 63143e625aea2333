import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import type { ReportColumn, ReportKind } from '@portico/contract/rules/money/reports.ts'
import { LineChart } from '../../components/chart/line-chart.tsx'
import { type Column, type Series, stacked } from '../../components/chart/series.ts'
import { StackedChart } from '../../components/chart/stacked-chart.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { monthInWords, monthOf, shortMonth } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { planName, providerName, type ReportRow } from './cells.tsx'
import classes from './reports.module.css'
import { columnWords, reportWords } from './words.ts'

type Chart =
  /** Columns that are stacked for each month. */
  | { readonly stack: readonly ReportColumn[] }
  /** A column that is stacked by what its rows are of. */
  | { readonly of: ReportColumn; readonly by: (row: ReportRow) => string }
  /** How a column stood at the end of each month, which does not add up. */
  | { readonly line: ReportColumn }

const charts: { readonly [K in ReportKind]?: Chart } = {
  revenue: { stack: ['used', 'other'] },
  revenue_by_plan: { of: 'revenue', by: planName },
  recurring: { line: 'mrr' },
  cash: { of: 'received', by: providerName },
  paid_ahead: { line: 'paid_ahead' },
  sales: { stack: ['net', 'vat'] },
}

/** From here on the scale has its figures in words, which fit beside the chart of a phone. */
const longFrom = 1_000_000

/** An amount beside the scale: `RON 250.00`, `$50M`. */
function inScale(amount: number, currency: string): string {
  if (Math.abs(amount) < longFrom) return money(amount, currency)
  return new Intl.NumberFormat(language() === 'ro' ? 'ro' : 'en-US', {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amount)
}

const ages = ['to_30', 'to_60', 'to_90', 'over_90'] as const

function monthsOf(rows: readonly ReportRow[], today: string): Column[] {
  return [...new Set(rows.map(({ month }) => String(month)))].sort().map((key) => {
    const name = monthInWords(`${key}-01`, language())
    const isOpen = key === monthOf(today)
    return {
      key,
      isOpen,
      name: isOpen ? m.chart_so_far({ name }) : name,
      short: shortMonth(`${key}-01`, language()),
    }
  })
}

const amountIn = (row: ReportRow, name: ReportColumn) => Number(row[name] ?? 0)

function seriesOf(
  chart: Exclude<Chart, { line: unknown }>,
  rows: readonly ReportRow[],
  columns: readonly Column[],
): Series[] {
  const cells = rows.flatMap((row) => {
    const column = String(row.month)
    if ('stack' in chart)
      return chart.stack.map((key) => ({ column, key, name: columnWords[key](), amount: amountIn(row, key) }))
    const name = chart.by(row)
    return [{ column, key: name, name, amount: amountIn(row, chart.of) }]
  })
  const keys = columns.map(({ key }) => key)
  return stacked(cells, keys, (count) => m.usage_others({ count }))
}

/** Debts by their age. */
function Ages({ sums, currency }: { sums: ReportRow; currency: string }) {
  const name = reportWords.aged_debt.name()
  return (
    <StackedChart
      label={name}
      whole={m.desk_report_owed()}
      columns={ages.map((key) => ({ key, name: columnWords[key](), short: columnWords[key]() }))}
      series={[{ key: 'owed', name: m.desk_report_owed(), values: ages.map((key) => amountIn(sums, key)) }]}
      decimals={minorUnits(currency)}
      format={(amount) => money(amount, currency)}
      mark={(amount) => inScale(amount, currency)}
    />
  )
}

type Props = {
  kind: ReportKind
  rows: readonly ReportRow[]
  sums: ReportRow | undefined
  currency: string
  today: string
}

/** Over months, or over the ages of debts. */
function Drawn({ kind, rows, sums, currency, today }: Props) {
  const chart = charts[kind]
  if (kind === 'aged_debt') return sums && <Ages sums={sums} currency={currency} />
  const columns = monthsOf(rows, today)
  if (!chart) return null
  const label = reportWords[kind].name()
  const format = (amount: number) => money(amount, currency)
  const mark = (amount: number) => inScale(amount, currency)
  if (!('line' in chart))
    return (
      <StackedChart
        label={label}
        whole={m.column_total()}
        columns={columns}
        series={seriesOf(chart, rows, columns)}
        decimals={minorUnits(currency)}
        format={format}
        mark={mark}
      />
    )
  return (
    <div className={classes.line}>
      <LineChart
        label={label}
        name={columnWords[chart.line]()}
        columns={columns}
        values={rows.map((row) => amountIn(row, chart.line))}
        today={columns.length - 1}
        format={format}
        mark={mark}
      />
    </div>
  )
}

/** The chart of a report, where one helps: one month has none. */
export function ReportChart(props: Props) {
  const { kind, rows } = props
  const isDrawn = kind === 'aged_debt' || (charts[kind] && new Set(rows.map(({ month }) => month)).size > 1)
  return (
    isDrawn && (
      <div className={`card ${classes.chart}`}>
        <Drawn {...props} />
      </div>
    )
  )
}
