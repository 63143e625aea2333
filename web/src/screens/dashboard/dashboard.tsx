import { Overview } from './overview.tsx'
import { Workspaces } from './workspaces.tsx'

/** The current workspace. */
export default function DashboardScreen() {
  return <Workspaces>{(current) => <Overview workspace={current} />}</Workspaces>
}
