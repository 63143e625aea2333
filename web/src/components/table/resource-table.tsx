import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Page } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconSearch } from '../../ui/icons.tsx'
import { Bone } from '../../ui/loading/bones.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { ColumnChoice, useColumnChoice } from './column-choice.tsx'
import classes from './resource-table.module.css'
import { SearchBox } from './search-box.tsx'
import { Heading } from './table-heading.tsx'
import { Pages } from './table-pages.tsx'
import { type Sizes, sizes } from './table-sizes.ts'
import type { View } from './table-view.ts'

export type Column<R> = {
  name: string
  label: string
  sort?: string
  number?: boolean
  /** Takes the full width on a phone, below its label. */
  wide?: boolean
  /** In compact cards on a phone: next to the name, at the right, there with its label, in its own line, or not at all. */
  onPhone?: 'aside' | 'end' | 'labelled' | 'line' | 'hidden'
  cell: (row: R) => ReactNode
}

/** Rows disappear and people edit addresses: a page beyond the last becomes the last. */
function useExistingPage(page: Page | undefined, onChange: (change: Partial<View>) => void): void {
  const last = page && page.total > 0 && page.number > page.pages ? page.pages : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: onChange is a new function at every rendering.
  useEffect(() => {
    if (last !== undefined) onChange({ page: last })
  }, [last])
}

type Props<R> = {
  caption: string
  columns: readonly Column<R>[]
  query: UseQueryResult<{ items: readonly R[]; page: Page }>
  view: View
  onChange: (change: Partial<View>) => void
  /** Shown when the list has no rows at all. */
  empty: ReactNode
  /** Filters of the page, shown in the place of the search. */
  tools?: ReactNode
  /** Resets such filters, offered when no row matches them. */
  onClear?: (() => void) | undefined
  /** On a phone two values share a line, without labels; columns say their place by `onPhone`. */
  isCompact?: boolean
  /** The rows per page that are offered. */
  offered?: Sizes
  /** Without links and buttons, so that the keyboard needs the table itself to scroll it. */
  isPlain?: boolean
}

function NothingFound({ search, onClear }: { search: string | undefined; onClear: () => void }) {
  return (
    <Empty
      icon={<IconSearch size={20} />}
      title={m.nothing_found()}
      text={search === undefined ? m.nothing_found_filters() : m.nothing_found_text({ search })}
    >
      <Button variant="default" onClick={onClear}>
        {m.filters_clear()}
      </Button>
    </Empty>
  )
}

const styleOf = <R,>({ number = false, wide = false, onPhone }: Column<R>) =>
  [number && classes.number, wide && classes.wide, onPhone && classes[onPhone]].filter(Boolean).join(' ')

/** The rows of the table, or skeletons while they load. */
function Body<R extends { readonly id: number }>({
  columns: [first, ...others],
  rows,
}: {
  columns: readonly Column<R>[]
  rows: readonly R[] | undefined
}) {
  if (!rows)
    return [1, 2, 3].map((key) => (
      <tr key={key}>
        {[first, ...others].map((column) => (
          <td key={column?.name} data-label={column?.label} className={column && styleOf(column)}>
            <Bone width="60%" height={20} />
          </td>
        ))}
      </tr>
    ))
  return rows.map((row) => (
    <tr key={row.id}>
      {first && (
        <th scope="row" className={styleOf(first)}>
          {first.cell(row)}
        </th>
      )}
      {others.map((column) => (
        <td key={column.name} data-label={column.label} className={styleOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  ))
}

/** The attributes by which the keyboard scrolls a table that has nothing else to focus. */
const focusOf = (isPlain: boolean, label: string) =>
  isPlain ? { role: 'region', tabIndex: 0, 'aria-label': label } : {}

/**
 * A table of the server's rows, with search, sorting and pages on the server; each row is a card on a phone.
 */
export function ResourceTable<R extends { readonly id: number }>({
  caption,
  columns,
  query,
  view,
  onChange,
  empty,
  tools,
  onClear,
  isCompact = false,
  isPlain = false,
  offered = sizes,
}: Props<R>) {
  const { data, error, isError, refetch } = query
  useExistingPage(data?.page, onChange)
  const { shown, toggle } = useColumnChoice(columns)
  if (isError && !data)
    return (
      <div className="card">
        <LoadFailure error={error} onRetry={refetch} />
      </div>
    )
  const isNarrowed = view.search !== undefined || onClear !== undefined
  if (data?.page.total === 0 && !isNarrowed) return <div className="card">{empty}</div>
  return (
    <div className="card">
      <div className={classes.tools}>
        {tools ?? (
          <SearchBox
            value={view.search ?? ''}
            onChange={(search) => onChange({ search: search || undefined })}
          />
        )}
        <div className={classes.about}>
          <span className={classes.count} role="status">
            {data && m.rows_count({ count: data.page.total })}
          </span>
          <ColumnChoice columns={columns} shown={shown} onToggle={toggle} />
        </div>
      </div>
      {data?.page.total === 0 ? (
        <NothingFound search={view.search} onClear={onClear ?? (() => onChange({ search: undefined }))} />
      ) : (
        <div className={classes.scroll} {...focusOf(isPlain, caption)}>
          {/* The rows take the place of their skeletons, whose columns have other widths. */}
          <table
            key={data ? 'rows' : 'skeletons'}
            className={`${classes.table} ${isCompact ? classes.compact : ''}`}
            aria-busy={!data}
          >
            <caption hidden>{caption}</caption>
            <thead>
              <tr>
                {shown.map((column) => (
                  <Heading
                    key={column.name}
                    column={column}
                    view={view}
                    isWaiting={!data}
                    onChange={onChange}
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              <Body columns={shown} rows={data?.items} />
            </tbody>
          </table>
        </div>
      )}
      {data && <Pages page={data.page} shown={data.items.length} sizes={offered} onChange={onChange} />}
    </div>
  )
}
