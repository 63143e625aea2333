import { useEffect, useState } from 'react'

/** For what opens over a page: when it is gone, the focus is where it was before, unless something has it already. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
      })
    },
    [before],
  )
}
