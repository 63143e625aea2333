import { useParams } from '@tanstack/react-router'
import { billingQuery } from '../../api/billing.ts'
import { userQuery } from '../../api/user.ts'
import { useWorkspaces, workspacesQuery } from '../../api/workspaces.ts'
import { PageSkeleton } from '../../components/layout/skeletons.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { OpenedPanel } from './opened-panel.tsx'
import { Overview } from './overview.tsx'
import { pollEvery } from './timers.ts'

/** What the page asks for first; its document starts these calls before any script is there. */
export const first = [userQuery, workspacesQuery, billingQuery]

/** The current workspace; with a panel in the address that panel, opened. */
export default function DashboardScreen() {
  const params: { panel_id?: string } = useParams({ strict: false })
  const { query, current } = useWorkspaces({ refetchInterval: pollEvery.timer })
  if (query.isPending) return <PageSkeleton />
  if (query.isError && !query.data) return <LoadFailure error={query.error} onRetry={() => query.refetch()} />
  if (params.panel_id !== undefined) {
    // Another panel is another page: what was searched in this one, and its rows, do not go along.
    return <OpenedPanel key={params.panel_id} id={Number(params.panel_id)} />
  }
  return <Overview workspace={current} />
}
