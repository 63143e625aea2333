import { useEffect } from 'react'
import { store } from './store.ts'

/** Keys, which have the same labels in every language, and what they do. */
export type KeyList = readonly {
  readonly press: readonly [string, ...string[]]
  readonly does: () => string
}[]

/** A key of the open page, which does something there. */
export type PageKey = KeyList[number] & {
  readonly act: () => void
  /** Also while a dialog is open, which has such rows too. */
  readonly inDialogs?: true
}

let ofPage: readonly PageKey[] = []

/** The keys that the open page has besides those of every page. Here, because every page loads this file. */
export const pageKeys = (): readonly PageKey[] => ofPage

/** Gives the page keys while the component is shown. */
export function usePageKeys(keys: readonly PageKey[]): void {
  useEffect(() => {
    ofPage = [...keys, ...ofPage]
    return () => {
      ofPage = ofPage.filter((one) => !keys.includes(one))
    }
  }, [keys])
}

/** The open dialog or drawer; one at a time. Menus belong to their button instead. */
export type Overlay =
  | { kind: 'none' }
  | { kind: 'bar' }
  | { kind: 'team' }
  | { kind: 'notifications' }
  | { kind: 'palette' }
  | { kind: 'keys' }
  | { kind: 'add-workspace' }
  | { kind: 'add-panel'; projectId: number; clientId: number }
  | { kind: 'edit-panel'; id: number; name: string }
  | { kind: 'move-panel'; id: number; name: string; projectId: number }
  | { kind: 'change-plan'; id: number; clientId: number; plan: string | null }
  | { kind: 'delete-panel'; id: number; name: string }
  | { kind: 'rename-workspace'; id: number; name: string }
  | { kind: 'delete-workspace'; id: number; name: string }
  /** By a panel in the reader's list of shared panels; `owner` is a name. */
  | { kind: 'leave'; id: number; owner: string }

const none: Overlay = { kind: 'none' }
const current = store<Overlay>(none)

/** The element that gets the focus back. */
let opener: HTMLElement | null = null

/** The focused control, or the button of the menu in which it is. */
export function findOpener(): HTMLElement | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role="menu"]')
  const found = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : activeElement
  return found instanceof HTMLElement ? found : null
}

export function openOverlay(overlay: Overlay): void {
  // An overlay that opens another returns the focus to where the first was opened.
  if (current.get().kind === 'none') opener = findOpener()
  current.set(overlay)
}

export function closeOverlay(): void {
  current.set(none)
  const back = opener
  opener = null
  // After the dialog has released its focus trap. A page that was navigated to has set the focus itself.
  setTimeout(() => {
    if (document.activeElement === document.body) back?.focus()
  })
}
export const useOverlay = current.use
