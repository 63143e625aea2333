import type { UseQueryResult } from '@tanstack/react-query'
import type { ActionOf, Output } from '../../api/actions.ts'
import { asFailure } from '../../api/failure.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { hourlyRate } from '../money/figures.ts'
import classes from './change-quote.module.css'
import { Obstacles } from './obstacles.tsx'
import { withVat } from './plan-quote.tsx'

type Quote = Output<ActionOf<'panels', 'quotePlan'>>

const lasting = (day: string | null) => (day === null ? '–' : dayInWords(day, language()))

/** The lines of the table: what it is, now, and after the change. */
function linesOf(quote: Quote): [string, string, string][] {
  const { monthly, daily, hourly, rest_of_month: rest, exhaustion_date: day, currency } = quote
  const sum = (amount: number) => money(amount, currency)
  const rate = (amount: number) => hourlyRate(amount, currency)
  const line = (
    name: string,
    change: { before: number; after: number } | null,
    words: (amount: number) => string,
  ): [string, string, string][] =>
    change === null ? [] : [[name, words(change.before), words(change.after)]]
  return [
    ...line(m.plan_change_month(), monthly, sum),
    ...line(m.plan_change_day(), daily, sum),
    ...line(m.plan_change_hour(), hourly, rate),
    ...line(m.plan_change_rest(), rest, sum),
    ...(day?.after == null
      ? []
      : [
          [m.plan_change_lasts(), lasting(day.before), lasting(day.after)] satisfies [string, string, string],
        ]),
  ]
}

function Prices({ quote }: { quote: Quote }) {
  const lines = linesOf(quote)
  if (quote.monthly === null) return <p>{m.plan_price_of_owner()}</p>
  return (
    <table className={classes.prices}>
      <thead>
        <tr>
          <td />
          <th scope="col">{m.plan_change_now()}</th>
          <th scope="col">{m.plan_change_after()}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(([name, before, after]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The cost of a change of plan, and the obstacles to it. */
export function ChangeQuote({ quote, clientId }: { quote: UseQueryResult<Quote>; clientId: number }) {
  if (quote.isError) return <p role="alert">{asFailure(quote.error).message}</p>
  if (!quote.data) return <Bone />
  const vat = withVat(quote.data)
  return (
    <div className={classes.quote} aria-live="polite">
      <Prices quote={quote.data} />
      {vat.length > 0 && <p className={classes.note}>{vat}</p>}
      <Obstacles quote={quote.data} clientId={clientId} />
    </div>
  )
}
