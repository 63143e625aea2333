import { base } from '@portico/contract/wire.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { http } from './http.ts'
import { wholeList } from './query.ts'
import { useUser } from './user.ts'

/**
 * All workspaces with their panels, the oldest first: the bar, the dashboard and the palette live from this one list. It is
 * asked for before it is known who asks, and staff may not choose the order.
 */
export const workspacesQuery = wholeList('projects', { include: ['panels'] })

/** Everything that others opened to the person, in their order: the dashboard and the palette live from this one list. */
export const sharedPanelsQuery = wholeList('client-panels', { include: ['panel', 'owner'], sort: 'position' })

/** Asks the server to read a panel anew. A question, as far as the screen goes: asked once in a minute, whoever repeats it. */
export const reading = (id: number) =>
  queryOptions({
    queryKey: ['reading', id],
    queryFn: () => http(`${base}/panels/${id}/-actions/sync`, { method: 'POST', body: {} }),
    staleTime: 60_000,
    retry: false,
  })

export type Workspace = NonNullable<ReturnType<typeof useWorkspaces>['current']>
export type Panel = Workspace['panels'][number]

/** The workspaces, and the one the person works in: the chosen one, else the oldest. */
export function useWorkspaces(options: { refetchInterval?: number } = {}) {
  const user = useUser()
  // Staff work in none.
  const query = useQuery({ ...workspacesQuery, ...options, enabled: user.staff === null })
  const all = query.data?.items ?? []
  return { query, all, current: all.find(({ id }) => id === user.current_project_id) ?? all[0] }
}
