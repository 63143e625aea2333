import { store } from './store.ts'

/** What lies over the page; one at a time. Menus are not here: they belong to their button. */
export type Overlay =
  | { kind: 'none' }
  | { kind: 'bar' }
  | { kind: 'team' }
  | { kind: 'notifications' }
  | { kind: 'palette' }
  | { kind: 'add-workspace' }
  | { kind: 'add-panel'; projectId: number }
  | { kind: 'edit-panel'; id: number; name: string }
  | { kind: 'delete-panel'; id: number; name: string }

const none: Overlay = { kind: 'none' }
const current = store<Overlay>(none)

export const openOverlay = (overlay: Overlay): void => current.set(overlay)
export const closeOverlay = (): void => current.set(none)
export const useOverlay = current.use
