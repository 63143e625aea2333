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

/** Returns focus when an overlay closes, unless another element has it already. */
export function useFocusBack(): void {
  const [before] = useState(findOpeners)
  useEffect(
    () => () => {
      setTimeout(() => {
        const back = before.find((element) => element.isConnected)
        if (document.activeElement === document.body && back instanceof HTMLElement) back.focus()
      })
    },
    [before],
  )
}
