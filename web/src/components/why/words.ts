import type { Explanation } from '../../api/queries/usage.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords, lastOf, monthAlone, monthInWords, monthOf } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { meterName } from '../money/words.ts'
import { planName } from '../plans/words.ts'

type Part = Explanation['parts'][number]

/** The compared month by its name, with the year if that is another one. */
function monthBefore({ from, before_from }: Explanation): string {
  const isSameYear = from.slice(0, 4) === before_from.slice(0, 4)
  return (isSameYear ? monthAlone : monthInWords)(before_from, language())
}

/** Whether whole months are compared, and not the same days of both. */
const isWhole = ({ before_to }: Explanation): boolean => before_to === lastOf(monthOf(before_to))

/** The question that the parts answer, or why there are none. */
export function questionOf(explanation: Explanation): string {
  const { difference, reason, from, currency } = explanation
  const month = monthBefore(explanation)
  if (reason === 'currency') return m.why_currency({ month: monthAlone(from, language()), before: month })
  if (difference === null) return m.why_first({ month: monthInWords(from, language()) })
  const whole = isWhole(explanation)
  if (difference === 0) return whole ? m.why_same({ month }) : m.why_same_days({ month })
  const of = { month, amount: money(Math.abs(difference), currency) }
  if (difference > 0) return whole ? m.why_more(of) : m.why_more_days(of)
  return whole ? m.why_less(of) : m.why_less_days(of)
}

const range = (from: string, to: string) =>
  new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(
    new Date(from),
    new Date(to),
  )

/** Both sums, and the days that they are of. */
export const sumsOf = ({ now, before, currency, ...days }: Explanation): string =>
  m.why_sums({
    now: money(now ?? 0, currency),
    days: range(days.from, days.to),
    before: money(before ?? 0, currency),
    other: range(days.before_from, days.before_to),
  })

/** Resources of several panels often share a name, so the panel is added. */
function nameOf({ panel, resource, resource_name }: Part): string {
  const name = resource === 'panel' ? panel : (resource_name ?? resource)
  return name === panel || panel === null ? (name ?? '') : `${name} · ${panel}`
}

const planOf = ({ plan, panel }: Part) => ({ plan: plan === null ? '' : planName(plan), panel: panel ?? '' })

const isFee = ({ resource, plan }: Part) => plan !== null && resource !== null

function born(part: Part, explanation: Explanation): string {
  const name = nameOf(part)
  const isPanel = part.resource === null
  if (part.since === null) {
    const days = range(explanation.before_from, explanation.before_to)
    return isPanel ? m.why_unused_panel({ name: part.panel ?? '', days }) : m.why_unused({ name, days })
  }
  const date = dayInWords(part.since, language())
  if (isFee(part)) return m.why_new_plan({ ...planOf(part), date })
  return isPanel ? m.why_new_panel({ name: part.panel ?? '', date }) : m.why_new({ name, date })
}

function gone(part: Part): string {
  const date = dayInWords(part.since ?? '', language())
  if (isFee(part)) return m.why_ended_plan({ ...planOf(part), date })
  if (part.resource === null) return m.why_ended_panel({ name: part.panel ?? '', date })
  return m.why_ended({ name: nameOf(part), date })
}

function used(part: Part): string {
  const isMore = part.amount > 0
  if (isFee(part)) return isMore ? m.why_more_hours(planOf(part)) : m.why_fewer_hours(planOf(part))
  const name = { name: nameOf(part) }
  return isMore ? m.why_used_more(name) : m.why_used_less(name)
}

function priced(part: Part): string {
  const isMore = part.amount > 0
  if (part.plan !== null) return isMore ? m.why_plan_dearer(planOf(part)) : m.why_plan_cheaper(planOf(part))
  const meter = { meter: meterName(part.meter ?? '') }
  return isMore ? m.why_dearer(meter) : m.why_cheaper(meter)
}

function moved({ panel, plan, plan_before }: Part): string {
  const name = panel ?? ''
  const [from, to] = [plan_before, plan].map((one) => one && planName(one))
  return from && to && from !== to ? m.why_moved({ name, from, to }) : m.why_other_plan({ name })
}

const lengthOf = (day: string): number => Number(lastOf(monthOf(day)).slice(-2))

/** No month has fewer than 28 days, so the sentences need no other forms. */
function longer(explanation: Explanation): string {
  const { from, to, before_from } = explanation
  const of = {
    month: monthAlone(from, language()),
    before: monthBefore(explanation),
    days: lengthOf(from),
    other: lengthOf(before_from),
  }
  if (of.days === of.other) return m.why_today()
  return to === lastOf(monthOf(to)) ? m.why_days(of) : m.why_today_and_days(of)
}

/** One sentence for each part. */
export function sentenceOf(part: Part, explanation: Explanation): string {
  switch (part.kind) {
    case 'new':
      return born(part, explanation)
    case 'ended':
      return gone(part)
    case 'quantity':
      return used(part)
    case 'price':
      return priced(part)
    case 'plan':
      return moved(part)
    case 'days':
      return longer(explanation)
    case 'others':
      return m.why_others({ count: part.count })
  }
}

/** The search of the page of usage that shows the lines of a part. */
export function linesOf({ kind, panel_id, resource, plan }: Part, { from, before_from, to }: Explanation) {
  const period = monthOf(kind === 'ended' ? before_from : to)
  const of = { period, page: undefined, why: undefined, search: undefined, split: undefined }
  if (kind === 'days') return of
  if (kind === 'others') return { ...of, split: 'resource' }
  if (kind === 'price')
    return plan === null ? { ...of, split: 'meter' } : { ...of, split: 'lines', search: 'plan/' }
  if (kind === 'plan') return { ...of, panel: panel_id, split: 'lines', search: 'plan/' }
  if (resource === null) return { ...of, panel: panel_id, split: 'resource' }
  return { ...of, resource: `${panel_id}/${resource}`, period: kind === 'ended' ? period : monthOf(from) }
}
