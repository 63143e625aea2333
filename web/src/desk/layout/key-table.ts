import type { KeyList } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { type DeskRouteName, isReadBy } from '../routes.ts'

type Place = { readonly letter: string; readonly to: DeskRouteName; readonly does: () => string }

/** Where `g` and a letter lead. */
const places: readonly Place[] = [
  { letter: 'h', to: 'home', does: m.desk_key_home },
  { letter: 'c', to: 'clients', does: m.desk_key_clients },
  { letter: 't', to: 'tickets', does: m.key_tickets },
  { letter: 'm', to: 'documents', does: m.desk_key_documents },
  { letter: 'e', to: 'engines', does: m.desk_key_engines },
  { letter: 'r', to: 'reports', does: m.desk_key_reports },
]

/** The places that a role reads. */
export const placesOf = (role: string | undefined): readonly Place[] =>
  places.filter(({ to }) => isReadBy(role, to))

/** The keyboard shortcuts of a role on every page, for their list. */
export const keysOf = (role: string | undefined): KeyList => [
  { press: ['/', 'Ctrl K', '⌘ K'], does: m.desk_key_search },
  ...placesOf(role).map(({ letter, does }) => ({ press: [`g ${letter}`] as const, does })),
  { press: ['?'], does: m.key_list },
]
