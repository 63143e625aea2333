import { Overview } from './overview.tsx'
import { Workspaces, workspacesFirst } from './workspaces.tsx'

/** Its document starts these calls before any script is there. */
export const first = workspacesFirst

/** The current workspace. */
export default function DashboardScreen() {
  return <Workspaces>{(current) => <Overview workspace={current} />}</Workspaces>
}
