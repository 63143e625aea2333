import { type HotkeyItem, useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { letterKeys } from '../../stores/letter-keys.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { deskHref, portal } from '../routes.ts'
import { placesOf, rowKeys } from './key-table.ts'

/** Time to press the letter after `g`, in milliseconds. */
const patience = 1_000

const isShown = (what: string) => document.querySelector(what) !== null

/** Letters are keys unless the person turned them off, or has a menu open, whose items they choose. */
const mayBeLetter = () => letterKeys() && !isShown('[role="menu"]')

/** Fields in which one types or chooses by letters; a box that is ticked is none. */
const fields = 'input:not([type="checkbox"], [type="radio"]), textarea, select'
const isTyping = ({ target }: Event) => target instanceof Element && target.closest(fields) !== null

/** A key without a modifier, with the handler that it has outside of fields. */
const letter = (key: string, act: () => void, isFree: () => boolean = mayBeLetter): HotkeyItem => [
  key,
  (event) => {
    if (isTyping(event) || !isFree()) return
    // The key of a row's link is the browser's.
    if (key !== 'Enter') event.preventDefault()
    act()
  },
  { preventDefault: false },
]

/** Where a dialog is open, its rows have keys, but the pages behind it have none. */
const isOnPage = () => mayBeLetter() && !isShown('[role="dialog"]')

const search = () => openOverlay({ kind: 'palette' })
const showKeys = () => openOverlay({ kind: 'keys' })

/** The keyboard shortcuts of the desk, as the table of keys declares them. */
export function useKeys(): void {
  const navigate = useNavigate()
  const { staff } = useUser()
  const began = useRef(Number.NEGATIVE_INFINITY)
  const places = placesOf(staff?.role)
  const go = ({ to }: (typeof places)[number]) => {
    const isBegun = performance.now() - began.current < patience
    began.current = Number.NEGATIVE_INFINITY
    if (!isBegun) return
    if (to === 'tickets') location.assign(portal.tickets)
    else void navigate({ to: deskHref(to) })
  }
  const keys = [
    letter(
      'g',
      () => {
        began.current = performance.now()
      },
      isOnPage,
    ),
    ...places.map((place) => letter(place.letter, () => go(place), isOnPage)),
    ...rowKeys.flatMap(({ press, act }) => press.map((key) => letter(key, act))),
    // On some keyboards these two are above others.
    ...['/', 'shift+/'].map((key) => letter(key, search, isOnPage)),
    ...['?', 'shift+?'].map((key) => letter(key, showKeys, isOnPage)),
  ]
  // The search opens from fields too.
  useHotkeys([['mod+K', search], ...keys], [])
}
