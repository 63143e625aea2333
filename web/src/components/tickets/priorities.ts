import { m } from '../../texts/compiled/messages.js'

/** The names of priorities. */
export const priorities: Readonly<Record<number, () => string>> = {
  1: m.priority_low,
  2: m.priority_normal,
  3: m.priority_high,
  4: m.priority_urgent,
}
