import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { addDays, dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import classes from './figures.module.css'

type Props = { from: string; amounts: readonly number[]; currency: string }

/** The charges of each day of the month as bars; what they are is in their tooltips, and the highest one in words. */
export function ByDay({ from, amounts, currency }: Props) {
  const top = Math.max(...amounts)
  // A single day, or days without a charge, show no course.
  if (amounts.length < 2 || top <= 0) return null
  const nameOf = (at: number) =>
    [dayInWords(addDays(from, at), language()), money(amounts[at] ?? 0, currency)].join(' · ')
  return (
    <figure className={classes.days}>
      <figcaption>
        <span>{m.desk_figure_by_day()}</span>
        <span>{m.desk_figure_highest({ of: nameOf(amounts.indexOf(top)) })}</span>
      </figcaption>
      <svg viewBox={`0 0 ${amounts.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {amounts.map((amount, at) => (
          <rect key={nameOf(at)} x={at + 0.1} y={1 - amount / top} width={0.8} height={amount / top}>
            <title>{nameOf(at)}</title>
          </rect>
        ))}
      </svg>
    </figure>
  )
}
