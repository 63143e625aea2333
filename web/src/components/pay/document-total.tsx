import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import classes from './pay.module.css'

type Sums = Pick<Row<'invoices'>, 'total' | 'open' | 'currency'>

/** The total of a document, and what is left to pay where that is less. */
export function DocumentTotal({ of: { total, open, currency } }: { of: Sums }) {
  return (
    <div>
      {money(total, currency)}
      {open > 0 && open < total && (
        <div className={classes.quiet}>{m.invoice_left({ amount: money(open, currency) })}</div>
      )}
    </div>
  )
}
