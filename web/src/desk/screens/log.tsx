import { NativeSelect, TextInput } from '@mantine/core'
import { unexplained } from '@portico/contract/resources/staff-actions.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { wholeList } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { ResourceTable } from '../../components/table/resource-table.tsx'
import { SearchBox } from '../../components/table/search-box.tsx'
import { dayIn, idIn, textIn, useSearchState } from '../../components/table/search-state.ts'
import { useView } from '../../components/table/table-view.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconSearch } from '../../ui/icons.tsx'
import { DayFields } from '../lists/day-fields.tsx'
import { useRows } from '../lists/use-rows.ts'
import { logColumns, origins } from '../log/columns.tsx'
import classes from '../log/log.module.css'

const inOrder = ['desk', 'portal', 'cli', 'sql'] as const // The literal types of the origins.
type OriginFilter = (typeof inOrder)[number] | typeof unexplained

type Change = (change: Record<string, unknown>) => void

/** An origin of writes, or those in the database that nobody explained. */
const originIn = (value: unknown): OriginFilter | undefined =>
  ([...inOrder, unexplained] as const).find((one) => one === value)

/** The filters in the address. */
const filtersIn = (given: Record<string, unknown>) => ({
  who: idIn(given.who),
  client: idIn(given.client),
  verb: textIn(given.verb),
  origin: originIn(given.origin),
  from: dayIn(given.from),
  to: dayIn(given.to),
})

type Filters = ReturnType<typeof filtersIn>

function Tools({ filters, change }: { filters: Filters; change: Change }) {
  const { data } = useQuery(wholeList('desk-staff', { sort: 'display_name' }))
  const people = (data?.items ?? []).map(({ id, display_name }) => ({
    value: String(id),
    label: display_name,
  }))
  return (
    <>
      <NativeSelect
        size="sm"
        className={classes.filter ?? ''}
        aria-label={m.desk_column_who()}
        value={String(filters.who ?? '')}
        data={[{ value: '', label: m.desk_log_everyone() }, ...people]}
        onChange={({ currentTarget }) => change({ who: idIn(currentTarget.value) })}
      />
      <TextInput
        size="sm"
        className={classes.filter ?? ''}
        aria-label={m.desk_column_action()}
        placeholder={m.desk_column_action()}
        maxLength={60}
        defaultValue={filters.verb ?? ''}
        key={filters.verb}
        onBlur={({ currentTarget }) => change({ verb: textIn(currentTarget.value.trim()) })}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') change({ verb: textIn(currentTarget.value.trim()) })
        }}
      />
      <NativeSelect
        size="sm"
        className={classes.filter ?? ''}
        aria-label={m.desk_log_origin()}
        value={filters.origin ?? ''}
        data={[
          { value: '', label: m.desk_log_origin_all() },
          ...inOrder.map((value) => ({ value, label: origins[value]() })),
          { value: unexplained, label: m.desk_log_unexplained() },
        ]}
        onChange={({ currentTarget }) => change({ origin: originIn(currentTarget.value) })}
      />
      <DayFields from={filters.from} to={filters.to} change={change} className={classes.filter} />
    </>
  )
}

/** Everything that staff did, with who, why and what it changed. */
export default function LogScreen() {
  const [{ search }, changeView] = useView()
  const [given, setGiven] = useSearchState()
  const filters = filtersIn(given)
  const change: Change = (wanted) => setGiven({ page: undefined, ...wanted })
  const navigate = useNavigate()
  const { who, client, origin, ...rest } = filters
  const written = origin === unexplained ? { reason: unexplained } : { origin }
  const rows = useRows('staff-actions', {
    order: '-at',
    sorts: ['at'],
    filter: { ...rest, ...written, admin_id: who, client_id: client, search },
  })
  const isNarrow = search !== undefined || Object.values(filters).some((one) => one !== undefined)
  return (
    <>
      <PageHead title={m.desk_log_title()} lead={m.desk_log_lead()} />
      <ResourceTable
        caption={m.desk_log_title()}
        columns={logColumns()}
        {...rows}
        empty={<Empty icon={<IconSearch size={20} />} title={m.desk_log_none()} />}
        tools={
          <>
            <SearchBox
              value={search ?? ''}
              onChange={(search) => changeView({ search: search || undefined })}
            />
            <Tools filters={filters} change={change} />
          </>
        }
        onClear={isNarrow ? () => void navigate({ to: '.', search: {}, replace: true }) : undefined}
      />
    </>
  )
}
