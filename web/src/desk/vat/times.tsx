import { useQuery } from '@tanstack/react-query'
import { wholeList } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { addDays, utcToday } from '../../ui/days.ts'
import { Section } from '../../ui/section.tsx'
import { joined } from '../lists/periods.ts'
import { type TimeLineRow, TimeLines, type TimeSpan } from '../lists/time-lines.tsx'
import { percents, placeName } from './words.ts'

/** The days before and after today that are drawn: VAT changes rarely. */
const around = 3 * 365

type Rate = Row<'vat-rates'>

/** The standard rates of a place; a change of its reduced rates alone is none. */
const spansOf = (rates: readonly Rate[]): TimeSpan[] =>
  joined(
    rates
      .toSorted((a, b) => (a.from_day ?? '').localeCompare(b.from_day ?? ''))
      .map(({ from_day: from, to_day, rate }) => ({
        from,
        to: to_day && addDays(to_day, 1),
        words: percents([rate]),
      })),
  )

/** A line for each place whose rate changes within the drawn time; all others hold all the while. */
function linesOf(rates: readonly Rate[]): TimeLineRow[] {
  const [first, last] = [addDays(utcToday(), -around), addDays(utcToday(), around)]
  return [...Map.groupBy(rates, ({ country, region }) => `${country} ${region}`)].flatMap(
    ([key, ofPlace]) => {
      const [one] = ofPlace
      const spans = spansOf(ofPlace).filter(({ to }) => to === null || to > first)
      const changes = spans.slice(1).some(({ from }) => from !== null && from > first && from < last)
      return one && changes ? [{ key, name: placeName(one.country, one.region), spans }] : []
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
