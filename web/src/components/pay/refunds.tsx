import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import classes from './pay.module.css'
import type { Payment } from './payment-words.ts'

type Refund = Payment['refunds'][number]

/** The state of a refund, as a sentence. */
function saying({ status, gross, credit_note, restored_invoice }: Refund, currency: string): string {
  const amount = money(gross, currency)
  if (status === 'pending') return m.refund_pending({ amount })
  if (status === 'failed') return m.refund_failed({ amount })
  if (status === 'returned') return m.refund_returned({ amount, number: restored_invoice ?? '' })
  // A refund that was on its way while a dispute took the deposit has no credit note.
  return credit_note === null
    ? m.refund_sent({ amount })
    : m.refund_succeeded({ amount, number: credit_note })
}

/** The refunds of a payment, oldest first. */
export function Refunds({ of: { refunds, currency } }: { of: Pick<Payment, 'refunds' | 'currency'> }) {
  return refunds.map((one) => (
    <div key={one.id} className={classes.quiet}>
      {saying(one, currency)}
    </div>
  ))
}
