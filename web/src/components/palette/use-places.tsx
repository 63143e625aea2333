import type { SpotlightActionData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { IconActivity, IconMessages, IconPanel, IconReceipt, IconServer, IconShare } from '../../ui/icons.tsx'
import { IconCard, IconFile, IconKey, IconTeam } from '../../ui/more-icons.tsx'
import { type Place, rememberPlace } from './palette-recent.ts'

type Icon = typeof IconPanel

/** The icons of what an id begins with; pages have their address as the id. */
const icons: readonly (readonly [start: string, icon: Icon])[] = [
  ['panel-', IconServer],
  ['ticket-', IconMessages],
  ['invoice-', IconReceipt],
  ['billing-', IconReceipt],
  [href('billing-log'), IconFile],
  [href('billing'), IconReceipt],
  [href('usages'), IconActivity],
  [href('tickets'), IconMessages],
  [href('api-keys'), IconKey],
  [href('payment'), IconCard],
  [href('team-members'), IconTeam],
  [href('manage-permissions'), IconShare],
  [href('manage-account'), IconTeam],
]

const iconOf = (id: string): Icon => icons.find(([start]) => id.startsWith(start))?.[1] ?? IconPanel

/** The icon before an entry of the palette. */
export const before = (Icon: Icon) => <Icon size={18} aria-hidden="true" />

/** Makes entries that open a place and remember it. */
export function usePlaces() {
  const navigate = useNavigate()
  return (place: Place, prefix = ''): SpotlightActionData => ({
    id: `${prefix}${place.id}`,
    label: place.label,
    ...(place.description !== undefined && { description: place.description }),
    leftSection: before(iconOf(place.id)),
    onClick: () => {
      rememberPlace(place)
      void navigate({ to: place.to, search: place.search ?? {} })
    },
  })
}
