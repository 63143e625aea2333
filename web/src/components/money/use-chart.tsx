import { useQuery } from '@tanstack/react-query'
import { type Group, type Narrowing, type Range, usageSums } from '../../api/queries/usage.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords, daysFrom, monthInWords, monthsFrom, shortDay, shortMonth } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { type Column, stacked } from '../chart/series.ts'
import { StackedChart } from '../chart/stacked-chart.tsx'
import { LoadFailure } from '../load-failure.tsx'
import classes from './money.module.css'
import { useNames } from './names.ts'
import { NoUse } from './no-use.tsx'

/** The columns of a range: its days, or its months. */
function columnsOf({ from, to }: Range, unit: 'day' | 'month'): Column[] {
  const inMonths = unit === 'month'
  const [long, short] = inMonths ? [monthInWords, shortMonth] : [dayInWords, shortDay]
  return (inMonths ? monthsFrom : daysFrom)(from, to).map((key) => ({
    key,
    name: long(key, language()),
    short: short(key, language()),
  }))
}

type Props = {
  narrowing: Narrowing
  range: Range
  unit: 'day' | 'month'
  by: Exclude<Group, 'day' | 'month'>
  label: string
  whole: string
}

/** A chart of usage by day or month, stacked by resource. */
export function UseChart({ narrowing, range, unit, by, label, whole }: Props) {
  const { data, isError, error, refetch } = useQuery(usageSums(narrowing, range, unit, by))
  const nameOf = useNames(narrowing, range)
  if (!data)
    return isError ? (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    ) : (
      <div className={classes.waiting}>
        <Bone height={280} />
      </div>
    )
  if (data.rows.length === 0) return <NoUse narrowing={narrowing} />
  const columns = columnsOf(range, unit)
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
      series={stacked(cells, keys, (count) => m.usage_others({ count }))}
      format={(amount) => money(amount, data.currency)}
    />
  )
}
