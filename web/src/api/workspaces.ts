import { useQuery } from '@tanstack/react-query'
import { list } from './query.ts'
import { useUser } from './user.ts'

/** All workspaces with their panels: the bar, the dashboard and the palette live from this one list. */
export const workspacesQuery = list('projects', {
  include: ['panels'],
  sort: 'createdAt',
  page: { size: 100 },
})

export type Workspace = NonNullable<ReturnType<typeof useWorkspaces>['current']>
export type Panel = Workspace['panels'][number]

/** The workspaces, and the one the person works in: the chosen one, else the oldest. */
export function useWorkspaces(options: { refetchInterval?: number } = {}) {
  const user = useUser()
  const query = useQuery({ ...workspacesQuery, ...options })
  const all = query.data?.items ?? []
  return { query, all, current: all.find(({ id }) => id === user.current_project_id) ?? all[0] }
}
