import { base } from '@portico/contract/wire.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { http } from '../http.ts'
import { wholeList } from '../query.ts'
import type { Row } from '../rows.ts'
import { useUser } from './user.ts'

/**
 * All workspaces with their panels, oldest first: the bar, the dashboard and the palette share this list. It
 * is requested before the person is known, and staff may not sort it.
 */
export const workspacesQuery = wholeList('projects', { include: ['panels'] })

/**
 * Everything that others have shared with the person, in their order: the dashboard and the palette share
 * this list.
 */
export const sharedPanelsQuery = wholeList('client-panels', { include: ['panel', 'owner'], sort: 'position' })

/**
 * Asks the server to re-read a panel from its engine. It is a query for the screen: at most one call per
 * minute, however often it is triggered.
 */
export const reading = (id: number) =>
  queryOptions({
    queryKey: ['reading', id],
    queryFn: () => http(`${base}/panels/${id}/-actions/sync`, { method: 'POST', body: {} }),
    staleTime: 60_000,
    retry: false,
  })

export type Workspace = Row<'projects', 'panels'>
export type Panel = Workspace['panels'][number]

/** The workspaces, and the current one: the chosen one, or else the oldest. `every`: polls them so often, in milliseconds. */
export function useWorkspaces(every?: (panels: readonly Panel[]) => number) {
  const user = useUser()
  const query = useQuery({
    ...workspacesQuery,
    refetchInterval: ({ state }) => every?.(state.data?.items.flatMap(({ panels }) => panels) ?? []) ?? false,
    // Staff have no workspaces.
    enabled: user.staff === null,
  })
  const all = query.data?.items ?? []
  return { query, all, current: all.find(({ id }) => id === user.current_project_id) ?? all[0] }
}
