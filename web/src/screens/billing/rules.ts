import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'

/** When the portal charges by itself, with its cards. */
export type Rule = Row<'automated-billing-rules', 'card' | 'fallbackCard'>

/** The rule of an account, the own one when none is said; there is one, or none yet. */
export const rulesOf = (client_id: number | undefined) =>
  list('automated-billing-rules', { filter: { client_id }, include: ['card', 'fallbackCard'] })

/** How it stands, in a word. */
export function standing(rule: Rule | undefined): { tone: Tone; name: string } {
  if (!rule?.enabled) return { tone: 'idle', name: m.auto_state_off() }
  if (rule.status === 'needs_action') return { tone: 'warn', name: m.payment_waits() }
  if (rule.status === 'paused_declined') return { tone: 'bad', name: m.auto_state_paused() }
  if (rule.next_try_at !== null) return { tone: 'warn', name: m.auto_state_refused() }
  return { tone: 'good', name: m.auto_state_on() }
}

const hour = 60

/** A rest between two charges, of so many minutes. */
export const restInWords = (minutes: number): string =>
  minutes % hour === 0 ? m.auto_hours({ count: minutes / hour }) : m.auto_minutes({ count: minutes })
