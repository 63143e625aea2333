import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'

/** The choices of the page of payments; disputes and payouts are lists of their own. */
export const shownPayments = {
  failed: { many: m.desk_payments_failed },
  waiting: { many: m.desk_payments_waiting },
  settled: { many: m.desk_payments_settled },
  disputes: { many: m.desk_payments_disputes },
  payouts: { many: m.desk_payouts },
} as const

export const disputeStates: Readonly<
  Record<Row<'desk-disputes'>['status'], { tone: Tone; name: () => string }>
> = {
  open: { tone: 'bad', name: m.desk_dispute_open },
  won: { tone: 'good', name: m.desk_dispute_won },
  lost: { tone: 'idle', name: m.desk_dispute_lost },
}
