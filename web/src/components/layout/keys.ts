import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { href } from '../../routes.ts'
import { letterKeys } from '../../stores/letter-keys.ts'
import { openOverlay } from '../../stores/overlay.ts'

/** The targets of `g` followed by a letter. */
const places: Readonly<Record<string, string>> = {
  d: href('dashboard'),
  b: href('billing'),
  u: href('usages'),
  t: href('tickets'),
}

/** Time to press the letter after `g`, in milliseconds. */
const patience = 1_000

/** Keys pressed in a field or in an overlay belong to it. */
const isElsewhere = (target: EventTarget | null) =>
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null) ||
  document.querySelector('[role="dialog"], [role="menu"]') !== null

/** Focuses the search of the page, or opens the global one. */
function search(): void {
  const field = document.querySelector<HTMLElement>('main input[type="search"]')
  if (field) field.focus()
  else openOverlay({ kind: 'palette' })
}

/** The keyboard shortcuts of all signed-in pages. */
export function useKeys(): void {
  const navigate = useNavigate()
  useEffect(() => {
    let began = Number.NEGATIVE_INFINITY
    const letter = ({ key, timeStamp }: KeyboardEvent): (() => unknown) | undefined => {
      const place = timeStamp - began < patience ? places[key] : undefined
      began = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
      if (place !== undefined) return () => navigate({ to: place })
      if (key === '/') return search
      return key === '?' ? () => openOverlay({ kind: 'keys' }) : undefined
    }
    const press = (event: KeyboardEvent) => {
      const isModified = event.metaKey || event.ctrlKey
      const isPalette = isModified && event.key.toLowerCase() === 'k'
      const mayBeLetter = !isModified && !event.altKey && letterKeys() && !isElsewhere(event.target)
      const act = isPalette ? () => openOverlay({ kind: 'palette' }) : mayBeLetter && letter(event)
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [navigate])
}
