import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { chartSums, type Group, type Narrowing, type Range, usageSums } from '../../api/queries/usage.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import {
  dayInWords,
  daysFrom,
  monthInWords,
  monthOf,
  monthsFrom,
  shortDay,
  shortMonth,
} from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { type Column, stacked } from '../chart/series.ts'
import { StackedChart } from '../chart/stacked-chart.tsx'
import { LoadFailure } from '../load-failure.tsx'
import classes from './money.module.css'
import { useNames } from './names.ts'
import { NoUse } from './no-use.tsx'

/** The columns of a range: its days, or its months. */
function columnsOf({ from, to }: Range, unit: 'day' | 'month', today: string): Column[] {
  const inMonths = unit === 'month'
  const [long, short] = inMonths ? [monthInWords, shortMonth] : [dayInWords, shortDay]
  const now = inMonths ? monthOf(today) : today
  return (inMonths ? monthsFrom : daysFrom)(from, to).map((key) => {
    const name = long(key, language())
    const isOpen = key === now
    return { key, isOpen, name: isOpen ? m.chart_so_far({ name }) : name, short: short(key, language()) }
  })
}

/** The days of a range that is compared, by their place in it; undefined until they are known. */
function useBefore(narrowing: Narrowing, before: Before | undefined, count: number) {
  const range = before?.range ?? { from: '', to: '' }
  const { data } = useQuery({ ...usageSums(narrowing, range, 'day'), enabled: before !== undefined })
  if (!before || !data) return undefined
  const costs = new Map(data.rows.map(({ key, rated_amount }) => [key[0], rated_amount]))
  if (costs.size === 0) return undefined
  const days = daysFrom(range.from, range.to).slice(0, count)
  return { name: before.name, values: days.map((day) => costs.get(day) ?? 0) }
}

/** Opens a day or month of the chart in Usage, with its filters. */
function useOpening({ client_id, project_id, panel_id, resource }: Narrowing) {
  const navigate = useNavigate()
  const to = href('usages')
  const searchOf = (period: string) => ({
    period,
    account: client_id,
    workspace: project_id,
    panel: panel_id,
    resource,
  })
  return {
    onOpen: (key: string) => void navigate({ to, search: searchOf(key) }),
    linkOf: ({ key, name }: Column) => (
      <Link to={to} search={searchOf(key)}>
        {name}
      </Link>
    ),
  }
}

/** Days to compare with, and what they are called. */
export type Before = { readonly range: Range; readonly name: string }

type Props = {
  narrowing: Narrowing
  range: Range
  unit: 'day' | 'month'
  by: Exclude<Group, 'day' | 'month'>
  label: string
  whole: string
  /** Today by the business clock, whose column is not over. */
  today: string
  /** As many days of a period before, or fewer. */
  before?: Before | undefined
}

/** A chart of usage by day or month, stacked by resource, against a period before. */
export function UsageChart({ narrowing, range, unit, by, label, whole, today, before }: Props) {
  const { data, isError, error, refetch } = useQuery(chartSums(narrowing, range, unit, by))
  const nameOf = useNames(narrowing, range)
  const columns = columnsOf(range, unit, today)
  const past = useBefore(narrowing, before, columns.length)
  const opening = useOpening(narrowing)
  if (!data)
    return isError ? (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    ) : (
      <div className={classes.waiting}>
        <Bone height={280} />
      </div>
    )
  if (data.rows.length === 0) return <NoUse narrowing={narrowing} />
  const cells = data.rows.map(({ key: [column = '', key = ''], label: [, name = ''], rated_amount }) => ({
    column,
    key,
    name: nameOf(by, key, name),
    amount: rated_amount,
  }))
  const keys = columns.map(({ key }) => key)
  return (
    <StackedChart
      label={label}
      whole={whole}
      columns={columns}
      series={stacked(cells, keys, (count) => m.usage_others({ count: count + data.others }))}
      format={(amount) => money(amount, data.currency)}
      decimals={minorUnits(data.currency)}
      before={past}
      {...opening}
    />
  )
}
