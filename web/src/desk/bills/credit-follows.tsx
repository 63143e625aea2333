import type { creditPreview } from '@portico/contract/resources/invoices.ts'
import type * as z from 'zod/mini'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import classes from './bills.module.css'
import type { Way } from './way-fields.tsx'
import type { Bill } from './words.ts'

export type Preview = z.output<typeof creditPreview>

type Props = {
  bill: Bill
  preview: Preview
  /** Where what was paid goes. */
  to: Way
}

/** The documents of a credit note, in their order: money that is sent back passes through the balance. */
function documentsOf({ bill: { full_number: number, currency }, preview, to }: Props): string[] {
  const { total, from_paid: paid } = preview
  return [
    m.desk_credit_follows_note({ number, total: money(total, currency) }),
    ...(paid > 0 ? [m.desk_credit_follows_deposit({ amount: money(paid, currency) })] : []),
    ...(paid > 0 && to === 'card' ? [m.desk_credit_follows_card()] : []),
    ...(paid > 0 && to === 'bank' ? [m.desk_credit_follows_bank()] : []),
  ]
}

/** The effects besides documents. */
function effectsOf({ bill: { currency }, preview, to }: Props): string[] {
  const { from_open: open, from_loss: loss, from_paid: paid, advances, ways } = preview
  const said = (amount: number, words: (given: { amount: string }) => string) =>
    amount > 0 ? [words({ amount: money(amount, currency) })] : []
  return [
    ...said(open, m.desk_credit_from_open),
    ...said(loss, m.desk_credit_from_loss),
    ...said(advances, m.desk_credit_advances),
    ...(ways.length === 1 ? said(paid, m.desk_credit_no_way) : []),
    ...(to === 'balance' ? [] : [m.desk_credit_follows_why()]),
  ]
}

/** Says which documents a credit note brings, and what else it changes. */
export function CreditFollows(props: Props) {
  return (
    <div className={classes.follows}>
      <strong id="credit-follows">{m.desk_credit_follows()}</strong>
      <ol aria-labelledby="credit-follows">
        {documentsOf(props).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ol>
      {effectsOf(props).map((one) => (
        <p key={one}>{one}</p>
      ))}
    </div>
  )
}
