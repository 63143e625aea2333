import { useQuery } from '@tanstack/react-query'
import type { Billing } from '../../../api/queries/billing.ts'
import { list } from '../../../api/query.ts'
import type { Row } from '../../../api/rows.ts'
import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { addDays, dayInWords } from '../../../ui/days.ts'
import { money } from '../../../ui/format.ts'
import { nextTopUp, type TopUps } from './projection.ts'
import { type Lasting, lastingInWords } from './runway-words.ts'

type AnyRule = Row<'automated-billing-rules'>
type Rule = Omit<AnyRule, 'charged_this_month'> & Partial<AnyRule>

type Found = { readonly topUps: TopUps | undefined; readonly isPending: boolean }

/** An older replica does not say what is charged already, nor the least amount. */
function topUpsOf(rule: Rule, amounts: Partial<Billing>['amounts']): TopUps {
  return {
    threshold: rule.threshold_amount,
    recharge: rule.recharge_amount,
    cap: rule.monthly_cap,
    charged: rule.charged_this_month ?? 0,
    least: amounts?.deposit_least ?? 0,
  }
}

/** Automatic payment where it works; during an upgrade an older replica does not say so. */
export function useTopUps({ id, automatic_works, amounts }: Pick<Billing, 'id'> & Partial<Billing>): Found {
  const { data, isLoading } = useQuery({
    ...list('automated-billing-rules', { filter: { client_id: id } }),
    enabled: automatic_works === true,
  })
  const [rule] = data?.items ?? []
  return { topUps: automatic_works && rule ? topUpsOf(rule, amounts) : undefined, isPending: isLoading }
}

/** The day and amount of the next automatic payment, in words; undefined where none is foreseeable. */
export function nextTopUpInWords(lasting: Lasting, topUps: TopUps | undefined, currency: string) {
  const next = topUps && nextTopUp(lasting, topUps)
  return (
    next && {
      date: dayInWords(addDays(lasting.as_of, next.inDays), language()),
      amount: money(next.amount, currency),
    }
  )
}

/** When money is paid in automatically, or how long it lasts, as a sentence. */
export function runwayInWords(lasting: Lasting, topUps: TopUps | undefined, currency: string): string {
  const next = nextTopUpInWords(lasting, topUps, currency)
  if (!next) return lastingInWords(lasting)
  return m.runway_automatic({ amount: next.amount, date: next.date.replaceAll(' ', '\u00a0') })
}
