import { Suspense } from 'react'
import { type Overlay, useOverlay } from '../../stores/overlay.ts'
import { lazily } from '../../ui/loading/lazily.ts'

const BarDrawer = lazily(async () => (await import('../top-bar/bar-drawer.tsx')).BarDrawer)
const TeamDrawer = lazily(async () => (await import('../top-bar/team-drawer.tsx')).TeamDrawer)
const Notifications = lazily(
  async () => (await import('../notifications/notifications-modal.tsx')).NotificationsModal,
)
const Palette = lazily(async () => (await import('../palette/palette.tsx')).Palette)
const Keys = lazily(async () => (await import('../dialogs/keys.tsx')).KeysDialog)
const AddWorkspace = lazily(async () => (await import('../dialogs/add-workspace.tsx')).AddWorkspace)
const AddPanel = lazily(async () => (await import('../dialogs/add-panel.tsx')).AddPanel)
const EditPanel = lazily(async () => (await import('../dialogs/edit-panel.tsx')).EditPanel)
const MovePanel = lazily(async () => (await import('../panels/move-panel.tsx')).MovePanel)
const ChangePlan = lazily(async () => (await import('../dialogs/change-plan.tsx')).ChangePlan)
const DeletePanel = lazily(async () => (await import('../dialogs/delete-panel.tsx')).DeletePanel)

const RenameWorkspace = lazily(async () => (await import('../dialogs/rename-workspace.tsx')).RenameWorkspace)
const DeleteWorkspace = lazily(async () => (await import('../dialogs/delete-workspace.tsx')).DeleteWorkspace)
const Leave = lazily(async () => (await import('../dialogs/leave.tsx')).Leave)
function Current({ overlay }: { overlay: Overlay }) {
  switch (overlay.kind) {
    case 'none':
      return null
    case 'bar':
      return <BarDrawer />
    case 'team':
      return <TeamDrawer />
    case 'notifications':
      return <Notifications />
    case 'palette':
      return <Palette />
    case 'keys':
      return <Keys />
    case 'add-workspace':
      return <AddWorkspace />
    case 'add-panel':
      return <AddPanel projectId={overlay.projectId} clientId={overlay.clientId} />
    case 'edit-panel':
      return <EditPanel id={overlay.id} name={overlay.name} />
    case 'move-panel':
      return <MovePanel id={overlay.id} name={overlay.name} projectId={overlay.projectId} />
    case 'change-plan':
      return <ChangePlan id={overlay.id} clientId={overlay.clientId} plan={overlay.plan} />
    case 'delete-panel':
      return <DeletePanel id={overlay.id} name={overlay.name} />
    case 'rename-workspace':
      return <RenameWorkspace id={overlay.id} name={overlay.name} />
    case 'delete-workspace':
      return <DeleteWorkspace id={overlay.id} name={overlay.name} />
    case 'leave':
      return <Leave id={overlay.id} owner={overlay.owner} />
  }
}

/** Dialogs and drawers, each loaded when it is first opened. */
export function Overlays() {
  const overlay = useOverlay()
  return (
    <Suspense>
      <Current overlay={overlay} />
    </Suspense>
  )
}
