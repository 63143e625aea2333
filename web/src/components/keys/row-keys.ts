import type { PageKey } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { markRow, openRow, stepRow, stepVerb } from './rows.ts'

/** The keys of lists, for staff. Enter stays with the browser where a link or a button has the focus. */
export const rowKeys: readonly PageKey[] = [
  { press: ['j'], does: m.row_key_next, act: () => stepRow(1), inDialogs: true },
  { press: ['k'], does: m.row_key_previous, act: () => stepRow(-1), inDialogs: true },
  { press: ['Enter'], does: m.row_key_open, act: openRow, inDialogs: true },
  { press: ['x'], does: m.row_key_mark, act: markRow, inDialogs: true },
  { press: ['.'], does: m.row_key_verbs, act: stepVerb, inDialogs: true },
]
