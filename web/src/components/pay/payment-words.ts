import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'

export type Payment = Row<'transactions'>

/** The names of payment states. */
export const paymentStates: Readonly<Record<Payment['status'], { tone: Tone; name: () => string }>> = {
  created: { tone: 'idle', name: m.payment_processing },
  processing: { tone: 'idle', name: m.payment_processing },
  requires_action: { tone: 'warn', name: m.payment_waits },
  succeeded: { tone: 'good', name: m.payment_succeeded },
  failed: { tone: 'bad', name: m.payment_failed },
  canceled: { tone: 'idle', name: m.payment_canceled },
  partially_refunded: { tone: 'idle', name: m.payment_partly_refunded },
  refunded: { tone: 'idle', name: m.payment_refunded },
  disputed: { tone: 'bad', name: m.payment_disputed },
}

/** The purpose of a payment. */
export const purposes: Readonly<Record<Payment['purpose'], () => string>> = {
  deposit: m.purpose_deposit,
  service_bill: m.purpose_bill,
  auto_recharge: m.purpose_auto,
  bank_transfer: m.purpose_transfer,
}
