import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { chunk } from '../../chunk.ts'
import { useListFailure } from '../../stores/list-failure.ts'
import { type Overlay, openOverlay, useOverlay } from '../../stores/overlay.ts'

const lazily = <P,>(load: () => Promise<{ default: ComponentType<P> }>) => lazy(() => chunk(load))

const BarDrawer = lazily(() => import('./bar-drawer.tsx'))
const TeamDrawer = lazily(() => import('./team-drawer.tsx'))
const Notifications = lazily(() => import('./notifications-modal.tsx'))
const Palette = lazily(() => import('./palette.tsx'))
const AddWorkspace = lazily(() => import('../dialogs/add-workspace.tsx'))
const AddPanel = lazily(() => import('../dialogs/add-panel.tsx'))
const EditPanel = lazily(() => import('../dialogs/edit-panel.tsx'))
const DeletePanel = lazily(() => import('../dialogs/delete-panel.tsx'))
const ListFailureDialog = lazily(() => import('../dialogs/list-failure.tsx'))
function Current({ overlay }: { overlay: Overlay }) {
  switch (overlay.kind) {
    case 'none': return null
    case 'bar': return <BarDrawer />
    case 'team': return <TeamDrawer />
    case 'notifications': return <Notifications />
    case 'palette': return <Palette />
    case 'add-workspace': return <AddWorkspace />
    case 'add-panel': return <AddPanel projectId={overlay.projectId} />
    case 'edit-panel': return <EditPanel id={overlay.id} name={overlay.name} />
    case 'delete-panel': return <DeletePanel id={overlay.id} name={overlay.name} />
  }
}

function usePaletteKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      openOverlay({ kind: 'palette' })
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/** What lies over the page, each part loaded when it is first opened. */
export function Overlays() {
  const overlay = useOverlay()
  const failure = useListFailure()
  usePaletteKey()
  return (
    <Suspense>
      <Current overlay={overlay} />
      {failure && <ListFailureDialog failure={failure} />}
      <Toasts />
    </Suspense>
  )
}

const Toasts = lazily(() => import('./toasts.tsx'))
