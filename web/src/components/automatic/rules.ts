import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'

/** The rule of automatic payments, with its cards. */
export type Rule = Row<'automated-billing-rules', 'card' | 'fallbackCard'>

/** The rule of an account (the person's own by default); a list of one or none. */
export const rulesOf = (client_id: number | undefined) =>
  list('automated-billing-rules', { filter: { client_id }, include: ['card', 'fallbackCard'] })

/** The state of the rule, in a word. */
export function standing(rule: Rule | undefined): { tone: Tone; name: string } {
  if (!rule?.enabled) return { tone: 'idle', name: m.auto_state_off() }
  if (rule.status === 'needs_action') return { tone: 'warn', name: m.payment_waits() }
  if (rule.status === 'paused_declined') return { tone: 'bad', name: m.auto_state_paused() }
  if (rule.next_try_at !== null) return { tone: 'warn', name: m.auto_state_refused() }
  return { tone: 'good', name: m.auto_state_on() }
}

const hour = 60

/** The minutes between two charges, in words. */
export const restInWords = (minutes: number): string =>
  minutes % hour === 0 ? m.auto_hours({ count: minutes / hour }) : m.auto_minutes({ count: minutes })
