import type { KeyList } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { type DeskRouteName, isReadBy } from '../routes.ts'
import { markRow, openRow, stepRow, stepVerb } from './rows.ts'

type Place = { readonly letter: string; readonly to: DeskRouteName | 'tickets'; readonly does: () => string }

/** Where `g` and a letter lead; tickets are in the portal, and every role has them. */
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
  places.filter(({ to }) => to === 'tickets' || isReadBy(role, to))

type RowKey = {
  readonly press: readonly [string, ...string[]]
  readonly does: () => string
  readonly act: () => void
}

/** The keys of lists. Enter stays with the browser where a link or a button has the focus. */
export const rowKeys: readonly RowKey[] = [
  { press: ['j'], does: m.desk_key_next, act: () => stepRow(1) },
  { press: ['k'], does: m.desk_key_previous, act: () => stepRow(-1) },
  { press: ['Enter'], does: m.desk_key_open, act: openRow },
  { press: ['x'], does: m.desk_key_mark, act: markRow },
  { press: ['.'], does: m.desk_key_verbs, act: stepVerb },
]

/** The keyboard shortcuts of a role, for their list. */
export const keysOf = (role: string | undefined): KeyList => [
  { press: ['/', 'Ctrl K', '⌘ K'], does: m.desk_key_search },
  ...placesOf(role).map(({ letter, does }) => ({ press: [`g ${letter}`] as const, does })),
  ...rowKeys,
  { press: ['?'], does: m.key_list },
]
