import { useQuery } from '@tanstack/react-query'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { wholeList } from '../../api/query.ts'

const sharedQuery = wholeList('client-panels', { include: ['panel'], sort: 'position' })

/** Panels in groups; `name` is undefined for those that others have shared. */
export type PanelGroup = {
  name: string | undefined
  panels: readonly { id: number; name: string; client_id: number }[]
}

/** The panels that a ticket can be about: the person's own by workspace, and shared ones. */
export function usePanelGroups(): PanelGroup[] {
  const { all } = useWorkspaces()
  const { data } = useQuery(sharedQuery)
  const shared = (data?.items ?? []).flatMap(({ panel }) => panel ?? [])
  const groups: PanelGroup[] = [...all, { name: undefined, panels: shared }]
  return groups.filter(({ panels }) => panels.length > 0)
}
