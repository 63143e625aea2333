import { useQuery } from '@tanstack/react-query'
import { wholeList } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { addDays } from '../../ui/days.ts'
import { Section } from '../../ui/section.tsx'
import { type TimeLineRow, TimeLines, today } from '../lists/time-lines.tsx'
import { percents, placeName } from './words.ts'

/** The days before and after today that are drawn: VAT changes rarely. */
const around = 3 * 365

type Rate = Row<'vat-rates'>

/** A line for each place whose rate changes within the drawn time; all others hold all the while. */
function linesOf(rates: readonly Rate[]): TimeLineRow[] {
  const [first, last] = [addDays(today(), -around), addDays(today(), around)]
  return [...Map.groupBy(rates, ({ country, region }) => `${country} ${region}`)].flatMap(
    ([key, ofPlace]) => {
      const [one] = ofPlace
      const changes = ofPlace.some(({ from_day: day }) => day !== null && day > first && day < last)
      if (one === undefined || ofPlace.length === 1 || !changes) return []
      const spans = ofPlace
        .toSorted((a, b) => (a.from_day ?? '').localeCompare(b.from_day ?? ''))
        .filter(({ to_day }) => to_day === null || to_day > first)
        .map(({ from_day: from, to_day, rate }) => ({
          from,
          to: to_day && addDays(to_day, 1),
          words: percents([rate]),
        }))
      return [{ key, name: placeName(one.country, one.region), spans }]
    },
  )
}

/** Which rates change, and when; the table below has every rate. */
export function RateTimes() {
  const { data } = useQuery(wholeList('vat-rates', { sort: 'country' }))
  const rows = linesOf(data?.items ?? [])
  if (rows.length === 0) return null
  return (
    <Section id="times" title={m.desk_vat_times()} lead={m.desk_vat_times_lead()}>
      <TimeLines label={m.desk_vat_times()} rows={rows} around={around} />
    </Section>
  )
}
