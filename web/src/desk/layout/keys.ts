import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import { useKeyboard } from '../../components/keys/keyboard.ts'
import { rowKeys } from '../../components/keys/row-keys.ts'
import { openOverlay, usePageKeys } from '../../stores/overlay.ts'
import { deskHref } from '../routes.ts'
import { placesOf } from './key-table.ts'

// A ticket is a row of its queue: the keys of rows lead to the others.
const verbKeys = rowKeys.filter(({ press }) => press.includes('.'))

const search = () => openOverlay({ kind: 'palette' })

/** The keyboard shortcuts of the desk, as the table of keys declares them. */
export function useKeys(): void {
  const navigate = useNavigate()
  const { staff } = useUser()
  const places = placesOf(staff?.role).map(
    ({ letter, to }) => [letter, () => void navigate({ to: deskHref(to) })] as const,
  )
  const onTicket = useRouterState({
    select: ({ matches }) => matches.at(-1)?.staticData.desk === 'ticket',
  })
  usePageKeys(onTicket ? verbKeys : rowKeys)
  useKeyboard({ places: Object.fromEntries(places), search })
}
