import { Button } from '@mantine/core'
import type { MoneyVerb } from '@portico/contract/rules/asked-verbs.ts'
import { useState } from 'react'
import type { ActionOf, Output } from '../../api/actions.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { documentKinds } from '../../components/money/document-words.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { because } from '../verbs/verb-dialog.tsx'
import classes from './preview.module.css'

type Found = Output<ActionOf<'desk-requests', 'preview'>>

/** What follows, a line for each thing that changes. */
function linesOf({ currency, before, after, documents, refund, open, paid, ...limit }: Found): string[] {
  const said = (amount: number, of = currency) => money(amount, of)
  const moved = (from: number, to: number) => ({ before: said(from), after: said(to) })
  const left = said(limit.limit_left, limit.limit_currency)
  return [
    ...documents.map(({ kind, currency: of, net, vat, total }) =>
      m.desk_preview_document({
        kind: documentKinds[kind](),
        net: said(net, of),
        vat: said(vat, of),
        total: said(total, of),
      }),
    ),
    ...(refund
      ? [
          m.desk_preview_refund({
            gross: said(refund.gross, refund.currency),
            net: said(refund.net, refund.currency),
            vat: said(refund.vat, refund.currency),
          }),
        ]
      : []),
    ...(open ? [m.desk_preview_open(moved(open.before, open.after))] : []),
    ...paid.map(({ full_number: number, before: unpaid, after: left }) =>
      m.desk_preview_paid({ number, ...moved(unpaid, left) }),
    ),
    m.desk_preview_balance(moved(before.account_balance, after.account_balance)),
    ...(before.credit_balance === after.credit_balance
      ? []
      : [m.desk_preview_credit(moved(before.credit_balance, after.credit_balance))]),
    limit.above_limit ? m.desk_preview_above({ left }) : m.desk_open_bill_left({ left }),
  ]
}

type Props = {
  verb: MoneyVerb
  /** The row of the verb. */
  about: number
  /** The input of the verb; undefined while something is missing. */
  input: (reason: string) => Record<string, unknown> | undefined
}

/** Says what a verb would do with what is typed, on request, as each look is in the log of staff. */
export function Preview({ verb, about, input }: Props) {
  const { mutate, data, error, isPending } = useAction('desk-requests', 'preview')
  const [asked, setAsked] = useState<string>()
  const reason = m.desk_preview_reason()
  const given = input(reason)
  const isShown = asked !== undefined && asked === JSON.stringify(given)
  const look = () => {
    if (given === undefined) return
    setAsked(JSON.stringify(given))
    mutate({ payload: { verb, ref: String(about), input: given }, headers: because(reason) })
  }
  return (
    <div className={classes.preview}>
      <Button variant="default" size="xs" disabled={given === undefined} loading={isPending} onClick={look}>
        {m.desk_preview()}
      </Button>
      <div role="status">
        {isShown && error && <p>{inWords(error)}</p>}
        {isShown && data && (
          <ul>
            {linesOf(data).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
