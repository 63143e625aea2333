import { useNavigate } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import { useKeyboard } from '../../components/keys/keyboard.ts'
import { rowKeys } from '../../components/keys/row-keys.ts'
import { openOverlay, usePageKeys } from '../../stores/overlay.ts'
import { deskHref, portal } from '../routes.ts'
import { placesOf } from './key-table.ts'

const search = () => openOverlay({ kind: 'palette' })

/** The keyboard shortcuts of the desk, as the table of keys declares them. */
export function useKeys(): void {
  const navigate = useNavigate()
  const { staff } = useUser()
  const places = placesOf(staff?.role).map(({ letter, to }) => {
    const go = () =>
      to === 'tickets' ? location.assign(portal.tickets) : void navigate({ to: deskHref(to) })
    return [letter, go] as const
  })
  usePageKeys(rowKeys)
  useKeyboard({ places: Object.fromEntries(places), search })
}
