import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'

export type Engine = Row<'desk-engines'>

/** The names of the states of engines. */
export const engineStates: Record<Engine['state'], { readonly tone: Tone; readonly name: () => string }> = {
  up: { tone: 'good', name: m.desk_engines_state_up },
  down: { tone: 'bad', name: m.desk_engines_state_down },
  unknown: { tone: 'idle', name: m.desk_engines_state_unknown },
  disabled: { tone: 'idle', name: m.desk_engines_state_disabled },
}
