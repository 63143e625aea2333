import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Tone } from '../../ui/status.tsx'
import { fineMoney, quantity, rate } from './figures.ts'
import classes from './measured.module.css'
import { meterName } from './words.ts'

type Usage = Row<'usages'>

/** The state of a day's usage, in a word. */
export const usageStates: Record<Usage['status'], [Tone, () => string]> = {
  open: ['idle', m.usage_status_open],
  charged: ['good', m.usage_status_charged],
  billed: ['warn', m.usage_status_billed],
  paid: ['good', m.usage_status_paid],
}

const hoursOfMonth = (day: string) =>
  24 * new Date(Date.UTC(+day.slice(0, 4), +day.slice(5, 7), 0)).getUTCDate()

/** The price of a unit: one price, tiers, or none yet; an hour of a plan costs a part of its month. */
const priceOf = (
  { meter, unit_price, amount }: Usage['lines'][number],
  { usage_on, currency }: Pick<Usage, 'usage_on' | 'currency'>,
) => {
  if (amount === null) return m.usage_unpriced()
  if (meter === 'plan_hours') return m.usage_of_month({ hours: hoursOfMonth(usage_on) })
  return unit_price === null ? m.usage_by_tiers() : `× ${rate(unit_price, currency)}`
}

/** What was measured: the quantity, the price and the cost of each meter. */
export function Measured({ usage }: { usage: Pick<Usage, 'lines' | 'usage_on' | 'currency'> }) {
  return (
    <ul className={classes.measured}>
      {usage.lines.map((line) => (
        <li key={line.meter}>
          <span>{meterName(line.meter)}</span>
          <span className="numbers">{`${quantity(line.quantity)} ${line.unit}`}</span>
          <span className="numbers">{priceOf(line, usage)}</span>
          <span className="numbers">
            {line.amount === null ? '–' : fineMoney(line.amount, usage.currency)}
          </span>
        </li>
      ))}
    </ul>
  )
}
