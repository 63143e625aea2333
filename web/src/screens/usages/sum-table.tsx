import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  type Group,
  type Narrowing,
  type Range,
  type SumRow,
  type Sums,
  usageSums,
} from '../../api/queries/usage.ts'
import { Pending } from '../../components/loaded.tsx'
import { fineMoney, isUneven, roundQuantity } from '../../components/money/figures.ts'
import { useNames } from '../../components/money/names.ts'
import { NoUse } from '../../components/money/no-use.tsx'
import classes from '../../components/table/resource-table.module.css'
import { useSearchState } from '../../components/table/search-state.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords, monthInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { splitNames } from './split.tsx'
import own from './usages.module.css'

/** The link of a row: a month to its days, a day to its records, a place to its resources. */
const nexts: Record<Group, ((key: string) => Record<string, unknown>) | undefined> = {
  month: (key) => ({ period: key }),
  day: (key) => ({ period: key }),
  project: (key) => ({ workspace: Number(key), split: 'panel' }),
  panel: (key) => ({ panel: Number(key), split: 'resource' }),
  resource: (key) => ({ resource: key, split: undefined }),
  meter: undefined,
}

/** Days and months are newest first, as in every list; other rows are largest first. */
const inOrder = (rows: readonly SumRow[], split: Group) =>
  split === 'month' || split === 'day'
    ? rows.toSorted((a, b) => (b.key[0] ?? '').localeCompare(a.key[0] ?? ''))
    : rows.toSorted((a, b) => b.rated_amount - a.rated_amount)

/** The maximum number of rows to show; an export has all of them. */
const most = 200

type Props = { narrowing: Narrowing; range: Range; split: Group }

function Name({ split, row, name }: { split: Group; row: SumRow; name: string }): ReactNode {
  const [given] = useSearchState()
  const next = nexts[split]?.(row.key[0] ?? '')
  if (!next) return name
  return (
    <Link to={href('usages')} search={{ ...given, page: undefined, ...next }} resetScroll={false}>
      {name}
    </Link>
  )
}

/** Two decimals, or more when a row would round to zero; the same in all rows, so that the points line up. */
const writing = ({ rows, currency }: Sums) => {
  const isSmall = rows.some(({ rated_amount }) => rated_amount !== 0 && Math.abs(rated_amount) < 0.1)
  return (amount: number) => (isSmall ? fineMoney : money)(amount, currency)
}

/** The width of a row's bar in percent of its cell. */
const barOf = (amount: number, largest: number) =>
  largest > 0 ? Math.round((100 * Math.max(0, amount)) / largest) : 0

type RowProps = {
  split: Group
  row: SumRow
  name: string
  largest: number
  write: (amount: number) => string
}

function SumRowOf({ split, row, name, largest, write }: RowProps) {
  const { rated_amount, charged_amount, quantity: used, label } = row
  return (
    <tr>
      <th scope="row">
        <Name split={split} row={row} name={name} />
      </th>
      {split === 'meter' && (
        <td data-label={m.usage_quantity()} className={classes.number}>
          {used === null ? '–' : `${roundQuantity(used)} ${label[0] ?? ''}`}
        </td>
      )}
      <td data-label={m.usage_total()} className={`${classes.number} ${own.sum}`}>
        {/* Days and parts differ by little, which a bar shows sooner than the digits. */}
        <span
          className={own.share}
          style={{ width: `${barOf(rated_amount, largest)}%` }}
          aria-hidden="true"
        />
        {write(rated_amount)}
      </td>
      <td data-label={m.usage_charged()} className={classes.number}>
        {write(charged_amount)}
      </td>
    </tr>
  )
}

/** Sums of usage with their total; each row links to its details. */
export function SumTable({ narrowing, range, split }: Props) {
  const query = useQuery(usageSums(narrowing, range, split))
  const { data } = query
  const nameOf = useNames(narrowing, range)
  const nameOfRow = ({ key: [key = ''], label: [label = ''] }: SumRow) => {
    if (split === 'month') return monthInWords(key, language())
    return split === 'day' ? dayInWords(key, language()) : nameOf(split, key, label)
  }
  if (!data)
    return (
      <div className="card">
        <Pending query={query}>
          <Bone height={320} />
        </Pending>
      </div>
    )
  if (data.rows.length === 0)
    return (
      <div className="card">
        <NoUse narrowing={narrowing} />
      </div>
    )
  const rows = inOrder(data.rows, split)
  const write = writing(data)
  const largest = Math.max(0, ...rows.map(({ rated_amount }) => rated_amount))
  const numbers = [...(split === 'meter' ? [m.usage_quantity()] : []), m.usage_total(), m.usage_charged()]
  return (
    <div className="card">
      <div className={classes.scroll}>
        <table className={`${classes.table} ${own.sums} ${split === 'meter' ? '' : classes.kept}`}>
          <caption hidden>{splitNames[split]()}</caption>
          <thead>
            <tr>
              <th scope="col">{splitNames[split]()}</th>
              {numbers.map((name) => (
                <th key={name} scope="col" className={classes.number}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row) => (
              <SumRowOf
                key={row.key.join(' ')}
                split={split}
                row={row}
                name={nameOfRow(row)}
                largest={largest}
                write={write}
              />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{m.total()}</th>
              {split === 'meter' && <td />}
              <td data-label={m.usage_total()} className={classes.number}>
                {money(data.totals.rated_amount, data.currency)}
              </td>
              <td data-label={m.usage_charged()} className={classes.number}>
                {money(data.totals.charged_amount, data.currency)}
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      {isUneven(
        rows.map(({ rated_amount }) => rated_amount),
        data.totals.rated_amount,
        minorUnits(data.currency),
      ) && <p className={classes.more}>{m.rounded_note()}</p>}
      {rows.length > most && <p className={classes.more}>{m.rows_of({ shown: most, total: rows.length })}</p>}
    </div>
  )
}
