import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'

export type Engine = Row<'desk-engines'>

type Named = { readonly tone: Tone; readonly name: () => string; readonly many: () => string }

/** The names of the states of engines. */
export const engineStates: Record<Engine['state'], Named> = {
  up: { tone: 'good', name: m.desk_engines_state_up, many: m.desk_shown_engines_up },
  down: { tone: 'bad', name: m.desk_engines_state_down, many: m.desk_shown_engines_down },
  unknown: { tone: 'idle', name: m.desk_engines_state_unknown, many: m.desk_shown_engines_unknown },
  disabled: { tone: 'idle', name: m.desk_engines_state_disabled, many: m.desk_shown_engines_disabled },
}
