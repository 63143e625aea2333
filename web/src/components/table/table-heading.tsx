import { Bone } from '../../ui/loading/bones.tsx'
import classes from './resource-table.module.css'
import type { View } from './table-view.ts'

const arrows = { ascending: '↑', descending: '↓' } as const

function orderOf(view: View, sort: string | undefined): keyof typeof arrows | undefined {
  if (sort === undefined) return undefined
  if (view.sort === sort) return 'ascending'
  return view.sort === `-${sort}` ? 'descending' : undefined
}

/** The part of a column that its heading shows. */
type Named = { label: string; sort?: string; number?: boolean }

/** The heading of a column, which sorts the rows on the server. */
export function Heading({
  column,
  view,
  isWaiting,
  onChange,
}: {
  column: Named
  view: View
  isWaiting: boolean
  onChange: (change: Partial<View>) => void
}) {
  const { sort, label, number } = column
  const order = orderOf(view, sort)
  if (isWaiting)
    return (
      <th scope="col">
        <span className="unseen">{label}</span>
        <Bone width={64} />
      </th>
    )
  return (
    <th scope="col" className={number ? classes.number : ''} aria-sort={order}>
      {sort === undefined ? (
        label
      ) : (
        <button
          type="button"
          className={classes.sort}
          onClick={() => onChange({ sort: order === 'ascending' ? `-${sort}` : sort })}
        >
          {label}
          <span aria-hidden="true">{order && arrows[order]}</span>
        </button>
      )}
    </th>
  )
}
