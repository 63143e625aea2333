import { NativeSelect } from '@mantine/core'
import { ticketStates } from '@portico/contract/rules/tickets/ticket-states.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { fullName, useUser } from '../../api/queries/user.ts'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { wholeList } from '../../api/query.ts'
import { Owner, useAccount } from '../../components/money/account.tsx'
import { FilterSheet } from '../../components/table/filter-sheet.tsx'
import { SearchBox } from '../../components/table/search-box.tsx'
import { idIn, textIn, useSearchState } from '../../components/table/search-state.ts'
import { departmentIn } from '../../components/tickets/department-in.ts'
import { PanelOptions } from '../../components/tickets/panel-options.tsx'
import { usePanelGroups } from '../../components/tickets/panels.ts'
import { departmentName, departmentsQuery, stateName } from '../../components/tickets/words.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/combobox.ts'

const opensOthers = ({ id, access }: ReturnType<typeof useUser>) => access.tickets.some((one) => one !== id)

/** The filters of the list: the panel is in the path, the others in the query. */
export function useFilter() {
  const { panel_id }: { panel_id?: string } = useParams({ strict: false })
  const [given] = useSearchState()
  const navigate = useNavigate()
  const user = useUser()
  const account = useAccount('tickets')
  const isOwn = idIn(given.account) === user.id
  const panels = usePanelGroups().flatMap((group) => group.panels)
  const owner = panels.find(({ id }) => id === idIn(panel_id))?.client_id
  const filter = {
    // Tickets about a panel belong to its owner, including those that guests have opened.
    client_id: account ?? (owner === user.id || isOwn ? undefined : owner),
    accounts:
      account === undefined && owner === undefined && !isOwn && opensOthers(user)
        ? ('all' as const)
        : undefined,
    panel_id: idIn(panel_id),
    status: ticketStates.find((state) => state === given.status),
    department: departmentIn(given.department),
    project_id: idIn(given.workspace),
    search: textIn(given.search),
  }
  const go = (panel: number | undefined, search: Record<string, unknown>) =>
    void navigate({ to: href('tickets', { panel_id: panel }), search, replace: true, resetScroll: false })
  return {
    filter,
    /** Whether one of several accounts was chosen. */
    isOfOne: account !== undefined || (isOwn && opensOthers(user)),
    set: (wanted: Record<string, unknown>) => go(filter.panel_id, { ...given, page: undefined, ...wanted }),
    setPanel: (panel: number | undefined) => go(panel, { ...given, page: undefined }),
    clear: () => go(undefined, { size: given.size, sort: given.sort }),
  }
}

type Props = {
  label: string
  value: string | number | undefined
  onChange: (value: string) => void
  children: ReactNode
}

/** One filter; its first choice is no filter. */
function Choice({ label, value = '', onChange, children }: Props) {
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      onChange={({ currentTarget: { value: chosen } }) => onChange(chosen)}
    >
      {children}
    </NativeSelect>
  )
}

/** The workspaces and panels of the chosen account, as filters. */
function usePlaces() {
  const account = useAccount('tickets')
  const { all } = useWorkspaces()
  const groups = usePanelGroups()
  const { data } = useQuery({
    ...wholeList('projects', { filter: { client_id: account }, include: ['panels'] }),
    enabled: account !== undefined,
  })
  if (account === undefined) return { workspaces: all, groups }
  const workspaces = data?.items ?? []
  return { workspaces, groups: workspaces.filter(({ panels }) => panels.length > 0) }
}

/** The account, for people who see the tickets of others: all of them, their own, or one other. */
function Account({ set }: Pick<ReturnType<typeof useFilter>, 'set'>) {
  const user = useUser()
  const [given] = useSearchState()
  if (!opensOthers(user)) return null
  const others = user.access.tickets.filter((id) => id !== user.id)
  return (
    <Choice
      label={m.account()}
      value={idIn(given.account)}
      // Filters of one account do not apply to another.
      onChange={(account) => set({ account: idIn(account), workspace: undefined })}
    >
      <option value="">{m.tickets_all_accounts()}</option>
      <option value={user.id}>{fullName(user)}</option>
      {others.map((id) => (
        <Owner key={id} id={id} />
      ))}
    </Choice>
  )
}

/** The filters besides the search. */
function Choices({ filter, set, setPanel }: Omit<ReturnType<typeof useFilter>, 'clear' | 'isOfOne'>) {
  const { workspaces, groups } = usePlaces()
  const departments = useQuery(departmentsQuery).data?.items ?? []
  const isKnown = groups.some(({ panels }) => panels.some(({ id }) => id === filter.panel_id))
  return (
    <>
      <Account set={set} />
      <Choice
        label={m.column_status()}
        value={filter.status}
        onChange={(status) => set({ status: status || undefined })}
      >
        <option value="">{m.tickets_any_status()}</option>
        {ticketStates.map((state) => (
          <option key={state} value={state}>
            {stateName(state, 'client')}
          </option>
        ))}
      </Choice>
      <Choice
        label={m.ticket_department()}
        value={filter.department}
        onChange={(department) => set({ department: department || undefined })}
      >
        <option value="">{m.tickets_any_department()}</option>
        {departments.map((one) => (
          <option key={one.id} value={one.code}>
            {departmentName(one)}
          </option>
        ))}
      </Choice>
      {workspaces.length > 0 && (
        <Choice
          label={m.workspace()}
          value={filter.project_id}
          onChange={(workspace) => set({ workspace: workspace || undefined })}
        >
          <option value="">{m.tickets_any_workspace()}</option>
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      {(groups.length > 0 || filter.panel_id !== undefined) && (
        <Choice label={m.ticket_panel()} value={filter.panel_id} onChange={(panel) => setPanel(idIn(panel))}>
          <option value="">{m.tickets_any_panel()}</option>
          {filter.panel_id !== undefined && !isKnown && (
            <option value={filter.panel_id}>{m.loading()}</option>
          )}
          <PanelOptions groups={groups} />
        </Choice>
      )}
    </>
  )
}

export function Filters(of: Omit<ReturnType<typeof useFilter>, 'clear' | 'isOfOne'>) {
  const { filter, set } = of
  const { search, client_id, accounts: _, ...others } = filter
  const count = [client_id, ...Object.values(others)].filter((value) => value !== undefined).length
  return (
    <FilterSheet
      count={count}
      search={<SearchBox value={search ?? ''} onChange={(text) => set({ search: text || undefined })} />}
    >
      <Choices {...of} />
    </FilterSheet>
  )
}
