import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import type { Tone } from '../../ui/status.tsx'
import { refusedInWords } from '../pay/refused.ts'
import type { Rule } from './rules.ts'

export type Decision = Rule['decisions'][number]

/** A decision, in a word. */
export const outcomes: Readonly<Record<Decision['outcome'], { tone: Tone; name: () => string }>> = {
  charged: { tone: 'idle', name: m.auto_charged },
  not_charged: { tone: 'idle', name: m.auto_not_charged },
  declined: { tone: 'bad', name: m.payment_failed },
  needs_action: { tone: 'warn', name: m.payment_waits },
  succeeded: { tone: 'good', name: m.payment_succeeded },
  paused: { tone: 'bad', name: m.auto_state_paused },
}

/** Why nothing was charged, by the server's code; for any other code no invoice could be issued. */
const reasons: Readonly<Record<string, (available: string) => string>> = {
  balance_suffices: (available) => m.auto_why_enough({ available }),
  payment_open: m.auto_why_open,
  needs_action: m.auto_why_confirm,
  paused: m.auto_why_paused,
  waits_to_try_again: m.auto_why_rests,
  cooldown: m.auto_why_cooldown,
  charge_unclear: m.auto_why_held,
  no_card: m.auto_why_no_card,
  monthly_cap: m.auto_why_cap,
  billing_info_incomplete: m.auto_why_address,
  billing_sector_invalid: m.auto_why_address,
}

/** The reason of a decision. */
export function whyInWords({ outcome, reason, available, amount }: Decision, currency: string): string {
  const [had, sum] = [money(available ?? 0, currency), money(amount ?? 0, currency)]
  switch (outcome) {
    case 'charged':
      return m.auto_why_below({ available: had, amount: sum })
    case 'succeeded':
      return m.auto_why_paid({ amount: sum })
    case 'declined':
      return m.auto_why_declined({ amount: sum, reason: refusedInWords(reason) })
    case 'needs_action':
      return m.auto_why_action({ amount: sum })
    case 'paused':
      return m.auto_why_paused()
    case 'not_charged':
      return (reasons[reason] ?? m.auto_why_documents)(had)
  }
}
