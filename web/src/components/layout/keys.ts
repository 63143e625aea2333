import { useNavigate } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { useKeyboard } from '../keys/keyboard.ts'

/** Focuses the search of the page, or opens the global one. */
function search(): void {
  const field = document.querySelector<HTMLElement>('main input[type="search"]')
  if (field) field.focus()
  else openOverlay({ kind: 'palette' })
}

/** The keyboard shortcuts of all signed-in pages. */
export function useKeys(): void {
  const navigate = useNavigate()
  const to = (place: string) => () => void navigate({ to: place })
  useKeyboard({
    places: {
      d: to(href('dashboard')),
      b: to(href('billing')),
      u: to(href('usages')),
      t: to(href('tickets')),
    },
    search,
  })
}
