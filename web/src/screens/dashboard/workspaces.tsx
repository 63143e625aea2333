import type { ReactNode } from 'react'
import { useWorkspaces, type Workspace } from '../../api/queries/workspaces.ts'
import { PageSkeleton } from '../../components/layout/skeletons.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { everyOf } from './timers.ts'

/** Renders its children with the workspaces once they are loaded, and polls them while it is mounted. */
export function Workspaces({ children }: { children: (current: Workspace | undefined) => ReactNode }) {
  const { query, current } = useWorkspaces(everyOf)
  if (query.isPending) return <PageSkeleton />
  if (query.isError && !query.data)
    return <LoadFailure isPage error={query.error} onRetry={() => query.refetch()} />
  return children(current)
}
