import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ActionOf, Output } from '../../api/actions.ts'
import { asFailure } from '../../api/failure.ts'
import { action } from '../../api/query.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { hourlyRate, quantity } from '../money/figures.ts'
import { Obstacles } from './obstacles.tsx'
import classes from './plan-choice.module.css'

type Quote = Output<ActionOf<'plans', 'quote'>>

/** The price with VAT, or that the buyer owes it. */
export function withVat({ vat, currency }: Pick<Quote, 'vat' | 'currency'>): string[] {
  if (vat === null) return []
  if (vat.treatment === 'reverse_charge') return [m.quote_reverse()]
  if (vat.amount === 0) return []
  return [m.plan_with_vat({ gross: money(vat.gross, currency), rate: quantity(vat.rate) })]
}

/** Until when the balance lasts with the panel, and without it where that differs. */
function lasting({ exhaustion_date: day, lacks }: Quote): string[] {
  // The obstacle says that it does not last.
  if (day?.after == null || lacks) return []
  const after = dayInWords(day.after, language())
  if (day.before === null || day.before === day.after) return [m.plan_lasts({ after })]
  return [m.plan_lasts_less({ after, before: dayInWords(day.before, language()) })]
}

function sentence(quote: Quote): string {
  const { monthly, daily, hourly, currency } = quote
  if (monthly === null || daily === null || hourly === null) return m.plan_price_of_owner()
  const price = m.plan_quote({
    monthly: money(monthly, currency),
    daily: money(daily, currency),
    hourly: hourlyRate(hourly, currency),
  })
  return [price, ...withVat(quote), ...lasting(quote)].join(' · ')
}

/** The server's quote of a new panel. */
export const usePlanQuote = (plan: string, clientId: number) =>
  useQuery({
    ...action('plans', 'quote', { payload: { plan, client_id: clientId } }),
    placeholderData: keepPreviousData,
    enabled: plan !== '',
  })

type Props = { quote: ReturnType<typeof usePlanQuote>; clientId: number }

/** The cost of the chosen plan and how long the balance lasts with it, in one sentence, and the reasons against it. */
export function PlanQuote({ quote, clientId }: Props) {
  const known = quote.data && sentence(quote.data)
  return (
    <>
      <p role="status" className={classes.quote}>
        {quote.isError ? asFailure(quote.error).message : (known ?? <Bone />)}
      </p>
      <div aria-live="polite">{quote.data && <Obstacles quote={quote.data} clientId={clientId} />}</div>
    </>
  )
}
