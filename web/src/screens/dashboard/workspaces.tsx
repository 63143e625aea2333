import type { ReactNode } from 'react'
import { useWorkspaces, type Workspace } from '../../api/queries/workspaces.ts'
import { PageSkeleton } from '../../components/layout/skeletons.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { pollEvery } from './timers.ts'

/** What is shown of the workspaces, once they are there; they are read again as long as it stays. */
export function Workspaces({ children }: { children: (current: Workspace | undefined) => ReactNode }) {
  const { query, current } = useWorkspaces({ refetchInterval: pollEvery.timer })
  if (query.isPending) return <PageSkeleton />
  if (query.isError && !query.data)
    return <LoadFailure isPage error={query.error} onRetry={() => query.refetch()} />
  return children(current)
}
