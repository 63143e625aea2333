import { useQuery } from '@tanstack/react-query'
import { wholeList } from '../../api/query.ts'
import { useWorkspaces } from '../../api/workspaces.ts'

const sharedQuery = wholeList('client-panels', { include: ['panel'], sort: 'position' })

/** Panels by what they are grouped under; `name` is undefined for those that others have opened. */
export type PanelGroup = {
  name: string | undefined
  panels: readonly { id: number; name: string; client_id: number }[]
}

/** The panels that a ticket may be about: one's own by workspace, and those of others. */
export function usePanelGroups(): PanelGroup[] {
  const { all } = useWorkspaces()
  const { data } = useQuery(sharedQuery)
  const shared = (data?.items ?? []).flatMap(({ panel }) => panel ?? [])
  const groups: PanelGroup[] = [...all, { name: undefined, panels: shared }]
  return groups.filter(({ panels }) => panels.length > 0)
}
