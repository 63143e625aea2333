import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useUser } from '../../api/queries/user.ts'
import type { KeyList } from '../../components/dialogs/keys.tsx'
import { letterKeys } from '../../stores/letter-keys.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { deskHref, isReadBy, portal } from '../routes.ts'

const every: KeyList = [
  { press: ['/', 'Ctrl K', '⌘ K'], does: m.desk_key_search },
  { press: ['g h'], does: m.desk_key_home },
  { press: ['g c'], does: m.desk_key_clients },
  { press: ['g t'], does: m.key_tickets },
  { press: ['g r'], does: m.desk_key_reports },
  { press: ['?'], does: m.key_list },
]

/** The keyboard shortcuts of a role, for their list. */
export const keysOf = (role: string | undefined): KeyList =>
  isReadBy(role, 'reports') ? every : every.filter(({ does }) => does !== m.desk_key_reports)

/** Time to press the letter after `g`, in milliseconds. */
const patience = 1_000

/** Keys pressed in a field or in an overlay belong to it. */
const isElsewhere = (target: EventTarget | null) =>
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null) ||
  document.querySelector('[role="dialog"], [role="menu"]') !== null

/** The keyboard shortcuts of the desk. */
export function useKeys(): void {
  const navigate = useNavigate()
  const { staff } = useUser()
  const readsReports = isReadBy(staff?.role, 'reports')
  useEffect(() => {
    const places: Readonly<Record<string, () => unknown>> = {
      h: () => navigate({ to: deskHref('home') }),
      c: () => navigate({ to: deskHref('clients') }),
      ...(readsReports && { r: () => navigate({ to: deskHref('reports') }) }),
      t: () => location.assign(portal.tickets),
    }
    let began = Number.NEGATIVE_INFINITY
    const letter = ({ key, timeStamp }: KeyboardEvent): (() => unknown) | undefined => {
      const place = timeStamp - began < patience ? places[key] : undefined
      began = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
      if (key === '/') return () => openOverlay({ kind: 'palette' })
      return key === '?' ? () => openOverlay({ kind: 'keys' }) : place
    }
    const press = (event: KeyboardEvent) => {
      const isModified = event.metaKey || event.ctrlKey
      const isSearch = isModified && event.key.toLowerCase() === 'k'
      const mayBeLetter = !isModified && !event.altKey && letterKeys() && !isElsewhere(event.target)
      const act = isSearch ? () => openOverlay({ kind: 'palette' }) : mayBeLetter && letter(event)
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [navigate, readsReports])
}
