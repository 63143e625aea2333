import { useEffect, useState } from 'react'

let openers: readonly Element[] = []

/**
 * The focused element, and those that the overlays before this one were opened from: one that takes the place of another
 * ends where the first began.
 */
function findOpeners(): readonly Element[] {
  const { activeElement: active } = document
  const isWithin = active?.closest('[role="dialog"]') || document.querySelector('[role="dialog"]')
  openers = [...(active && active !== document.body ? [active] : []), ...(isWithin ? openers : [])]
  return openers
}

const isLost = () => document.activeElement === document.body

/** Focuses the heading of the page, for when the focused element was removed, such as the row of an approved request. */
const focusHeading = () => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })

/** Focuses an element, and the heading of the page if the element goes away with the focus. */
function focusWhileThere(element: HTMLElement): void {
  element.focus()
  const observer = new MutationObserver(() => {
    if (document.activeElement === element) return
    observer.disconnect()
    if (!element.isConnected && isLost()) focusHeading()
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

/** Returns focus when an overlay closes, unless another element has it already. */
export function useFocusBack(): void {
  const [before] = useState(findOpeners)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (!isLost()) return
        const back = before.find((element) => element.isConnected)
        if (back instanceof HTMLElement) focusWhileThere(back)
        else focusHeading()
      })
    },
    [before],
  )
}
