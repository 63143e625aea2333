import { findOpener } from '../stores/overlay.ts'

const overlays = '[role="menu"], [role="dialog"]'

/** The page's elements of a kind, without those of menus and dialogs, which close. */
const ofKind = (kind: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(kind)].filter((one) => one.closest(overlays) === null)

/**
 * Makes a change that renders the whole page again, and then focuses the control that stands where the focused one stood: it
 * has other words and is another element, but is as far from the beginning.
 */
export function keepFocus(change: () => void): void {
  const control = findOpener()
  const kind = control?.tagName.toLowerCase() ?? ''
  const place = control ? ofKind(kind).indexOf(control) : -1
  change()
  if (place < 0) return
  // After the page is rendered, and after a menu has tried to give the focus to the former button.
  setTimeout(() => {
    if (document.activeElement === document.body) ofKind(kind)[place]?.focus({ preventScroll: true })
  })
}
