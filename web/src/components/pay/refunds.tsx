import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import classes from './pay.module.css'
import type { Payment } from './payment-words.ts'

type Refund = Payment['refunds'][number]

/** The state of a refund, as a sentence. */
function saying({ status, gross, credit_note, restored_invoice }: Refund): string {
  const amount = money(gross)
  if (status === 'pending') return m.refund_pending({ amount })
  if (status === 'failed') return m.refund_failed({ amount })
  return status === 'returned'
    ? m.refund_returned({ amount, number: restored_invoice ?? '' })
    : m.refund_succeeded({ amount, number: credit_note ?? '' })
}

/** The refunds of a payment, oldest first. */
export function Refunds({ of }: { of: readonly Refund[] }) {
  return of.map((one) => (
    <div key={one.id} className={classes.quiet}>
      {saying(one)}
    </div>
  ))
}
