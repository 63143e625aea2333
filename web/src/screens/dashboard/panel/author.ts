import { m } from '../../../texts/compiled/messages.js'

type Author = { kind: 'you' | 'owner' | 'guest' | 'key' | 'support' | 'system'; name: string | null }

/** The author of an action in a panel. */
export function authorInWords({ kind, name }: Author): string | undefined {
  switch (kind) {
    case 'you':
      return m.panel_by_you()
    case 'support':
      return m.panel_by_support()
    case 'system':
      return m.panel_by_itself()
    case 'key':
      return [m.panel_by_key(), name].filter(Boolean).join(' · ')
    case 'guest':
      return name ?? m.panel_by_guest()
    case 'owner':
      return name ?? undefined
  }
}
