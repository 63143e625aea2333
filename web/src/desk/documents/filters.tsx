import { NativeSelect } from '@mantine/core'
import { leastOfWideSearch } from '@portico/contract/fields.ts'
import type { Row } from '../../api/rows.ts'
import { FilterSheet } from '../../components/table/filter-sheet.tsx'
import { SearchBox } from '../../components/table/search-box.tsx'
import { dayIn, idIn, textIn, useSearchState } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'
import { Chip } from '../lists/chip.tsx'
import { ClientChip } from '../lists/client-chip.tsx'
import { DayFields } from '../lists/day-fields.tsx'
import classes from '../lists/lists.module.css'

type Document = Row<'desk-documents'>
type Kind = Document['kind']
type Status = Document['status']

// Filters name many documents; Romanian has other words for one.
const kinds: Readonly<Record<Kind, () => string>> = {
  proforma: m.desk_shown_proforma,
  fiscal: m.desk_shown_fiscal,
  credit_note: m.desk_shown_credit_note,
}

const states: Readonly<Record<Exclude<Status, 'draft'>, () => string>> = {
  unpaid: m.desk_shown_unpaid,
  partially_paid: m.desk_shown_partially_paid,
  paid: m.desk_shown_paid,
  overdue: m.desk_shown_overdue,
  cancelled: m.desk_shown_cancelled,
  expired: m.desk_shown_expired,
  refunded: m.desk_shown_refunded,
}

const isKind = (value: unknown): value is Kind => typeof value === 'string' && Object.hasOwn(kinds, value)
const isStatus = (value: unknown): value is keyof typeof states =>
  typeof value === 'string' && Object.hasOwn(states, value)

const owed = 'owed'

/** The filters in the address. What is asked for by name, day or client is not narrowed to the last days. */
export function useDocumentFilters() {
  const [given, change] = useSearchState()
  const searched = textIn(given.search) ?? ''
  const named = {
    search: searched.length >= leastOfWideSearch ? searched : undefined,
    client_id: idIn(given.client),
    from: dayIn(given.from),
    to: dayIn(given.to),
  }
  const isNamed = Object.values(named).some((one) => one !== undefined)
  const filter = {
    ...named,
    kind: isKind(given.kind) ? given.kind : undefined,
    status: isStatus(given.status) ? given.status : undefined,
    owed: given.status === owed ? ('true' as const) : undefined,
    days: given.days === 'all' || isNamed ? undefined : ('90' as const),
  }
  return { filter, change: (wanted: Record<string, unknown>) => change({ page: undefined, ...wanted }) }
}

export type DocumentFilter = ReturnType<typeof useDocumentFilters>['filter']

type Props = { filter: DocumentFilter; change: (wanted: Record<string, unknown>) => void }

const optionsOf = (names: Readonly<Record<string, () => string>>) =>
  Object.entries(names).map(([value, name]) => ({ value, label: name() }))

/** The filters that a list has by itself, or by the link that led here. */
export function DocumentChips({ filter: { client_id, days }, change }: Props) {
  return (
    <div className={classes.chips}>
      {client_id !== undefined && (
        <ClientChip id={client_id} onRemove={() => change({ client: undefined })} />
      )}
      {days !== undefined && <Chip name={m.desk_chip_days()} onRemove={() => change({ days: 'all' })} />}
    </div>
  )
}

/** The search and the filters of the list of documents. */
export function DocumentFilters({ search, filter, change }: Props & { search: string | undefined }) {
  const count = [filter.kind, filter.status ?? filter.owed, filter.from, filter.to].filter(Boolean).length
  return (
    <FilterSheet
      count={count}
      search={
        <SearchBox value={search ?? ''} onChange={(wanted) => change({ search: wanted || undefined })} />
      }
    >
      <NativeSelect
        size="sm"
        aria-label={m.column_type()}
        value={filter.kind ?? ''}
        data={[{ value: '', label: m.desk_documents_kinds() }, ...optionsOf(kinds)]}
        onChange={({ currentTarget: { value } }) => change({ kind: value || undefined })}
      />
      <NativeSelect
        size="sm"
        aria-label={m.column_status()}
        value={filter.owed ? owed : (filter.status ?? '')}
        data={[
          { value: '', label: m.desk_documents_all() },
          { value: owed, label: m.desk_documents_owed() },
          ...optionsOf(states),
        ]}
        onChange={({ currentTarget: { value } }) => change({ status: value || undefined })}
      />
      <DayFields from={filter.from} to={filter.to} change={change} />
    </FilterSheet>
  )
}
