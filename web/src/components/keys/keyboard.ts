import { useEffect, useRef } from 'react'
import { letterKeys } from '../../stores/letter-keys.ts'
import { openOverlay, pageKeys } from '../../stores/overlay.ts'

/** Time to press the letter after `g`, in milliseconds. */
const patience = 1_000

const isShown = (what: string) => document.querySelector(what) !== null

/** Fields in which one types or chooses by letters; a box that is ticked is none. */
const fields = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]'

/** Letters are keys unless the person turned them off, types, or has a menu open, whose items they choose. */
const isLetter = ({ metaKey, ctrlKey, altKey, target }: KeyboardEvent) =>
  !(metaKey || ctrlKey || altKey) &&
  letterKeys() &&
  !(target instanceof Element && target.closest(fields)) &&
  !isShown('[role="menu"]')

type Keys = {
  /** What `g` and a letter lead to. */
  readonly places: Readonly<Record<string, () => void>>
  /** What `/` does. */
  readonly search: () => void
}

/** The keyboard shortcuts of every page, and those that the open page has by `usePageKeys`. */
export function useKeyboard({ places, search }: Keys): void {
  const began = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const ofEveryPage = ({ key, timeStamp }: KeyboardEvent): (() => void) | undefined => {
      const place = timeStamp - began.current < patience ? places[key] : undefined
      began.current = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
      if (place) return place
      if (key === '/') return search
      return key === '?' ? () => openOverlay({ kind: 'keys' }) : undefined
    }
    const letter = (event: KeyboardEvent) => {
      // The pages behind a dialog have no keys.
      const isBehind = isShown('[role="dialog"]')
      const own = pageKeys().find(
        ({ press, inDialogs }) => press.includes(event.key) && (!isBehind || inDialogs),
      )
      return (isBehind ? undefined : ofEveryPage(event)) ?? own?.act
    }
    const press = (event: KeyboardEvent) => {
      const isPalette = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k'
      const act = isPalette ? () => openOverlay({ kind: 'palette' }) : isLetter(event) && letter(event)
      if (!act) return
      // The key of a link or a button is the browser's.
      if (event.key !== 'Enter') event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}
