import { NativeSelect } from '@mantine/core'
import { ticketStates } from '@portico/contract/rules/tickets/ticket-states.ts'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../api/queries/user.ts'
import { action } from '../../api/query.ts'
import { FilterSheet } from '../../components/table/filter-sheet.tsx'
import { SearchBox } from '../../components/table/search-box.tsx'
import { textIn, useSearchState } from '../../components/table/search-state.ts'
import { departmentIn } from '../../components/tickets/department-in.ts'
import { departmentName, departmentsQuery, stateName } from '../../components/tickets/words.tsx'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/combobox.ts'

/** What staff may ask for besides a member: what waits without one, or too long. */
const queues = ['unassigned', 'overdue'] as const

/** The filters of the queue, which are in the address. */
export function useQueueFilter() {
  const [given, change] = useSearchState()
  const { staff } = useUser()
  const filter = {
    status: ticketStates.find((state) => state === given.status),
    department: departmentIn(given.department),
    assigned_admin_id: given.assigned === 'me' ? staff?.id : undefined,
    waiting: queues.find((queue) => queue === given.assigned),
    tag: textIn(given.tag),
    search: textIn(given.search),
  }
  const set = (wanted: Record<string, unknown>) => change({ page: undefined, ...wanted })
  const none = { status: undefined, department: undefined, assigned: undefined, tag: undefined }
  return { filter, set, clear: () => set({ ...none, search: undefined }) }
}

type Props = Omit<ReturnType<typeof useQueueFilter>, 'clear'>

/** The tags in use; none while there are none. */
function useTags(chosen: string | undefined): readonly string[] {
  const known = useQuery(action('tickets', 'tags', { payload: {} })).data?.tags ?? []
  return chosen === undefined || known.includes(chosen) ? known : [chosen, ...known]
}

/** The search and the filters of the queue. */
export function QueueFilters({ filter, set }: Props) {
  const departments = useQuery(departmentsQuery).data?.items ?? []
  const tags = useTags(filter.tag)
  const { search, ...others } = filter
  const choice = (
    name: 'status' | 'department' | 'assigned' | 'tag',
    label: string,
    value: string | undefined,
    data: readonly (readonly [value: string, label: string])[],
  ) => (
    <NativeSelect
      aria-label={label}
      value={value ?? ''}
      data={data.map(([one, said]) => ({ value: one, label: said }))}
      onChange={({ currentTarget: { value: chosen } }) => set({ [name]: chosen || undefined })}
    />
  )
  return (
    <FilterSheet
      count={Object.values(others).filter((value) => value !== undefined).length}
      search={<SearchBox value={search ?? ''} onChange={(text) => set({ search: text || undefined })} />}
    >
      {choice('status', m.column_status(), filter.status, [
        ['', m.tickets_any_status()],
        ...ticketStates.map((state) => [state, stateName(state, 'staff')] as const),
      ])}
      {choice('department', m.ticket_department(), filter.department, [
        ['', m.tickets_any_department()],
        ...departments.map((one) => [one.code, departmentName(one)] as const),
      ])}
      {choice(
        'assigned',
        m.ticket_assigned(),
        filter.waiting ?? (filter.assigned_admin_id === undefined ? undefined : 'me'),
        [
          ['', m.tickets_any_assigned()],
          ['me', m.tickets_assigned_me()],
          ['unassigned', m.tickets_unassigned()],
          ['overdue', m.tickets_overdue()],
        ],
      )}
      {tags.length > 0 &&
        choice('tag', m.ticket_tags(), filter.tag, [
          ['', m.tickets_any_tag()],
          ...tags.map((tag) => [tag, tag] as const),
        ])}
    </FilterSheet>
  )
}
