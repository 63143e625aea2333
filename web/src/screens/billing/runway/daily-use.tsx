import { SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Billing } from '../../../api/queries/billing.ts'
import { UseChart } from '../../../components/money/use-chart.tsx'
import { UseFilters, useNarrowing } from '../../../components/money/use-filters.tsx'
import { useSearchState } from '../../../components/table/search-state.ts'
import { href } from '../../../routes.ts'
import { m } from '../../../texts/compiled/messages.js'
import '../../../ui/styles/segmented.ts'
import { addDays } from '../../../ui/days.ts'
import { Section } from '../../../ui/section.tsx'
import classes from '../billing.module.css'

const lengths = [30, 90, 365] as const

/** With more days a column would be too narrow to point at, so the columns are months. */
const mostColumns = 90

/** The daily use by resource, over a month, a quarter or a year. */
export function DailyUse({ profile, preset }: { profile: Billing; preset: number | undefined }) {
  const [given, change] = useSearchState()
  const days = lengths.find((length) => length === Number(given.days)) ?? lengths[0]
  const narrowing = useNarrowing(preset)
  const unit = days > mostColumns ? 'month' : 'day'
  const range = { from: addDays(profile.as_of, 1 - days), to: profile.as_of }
  const title = unit === 'day' ? m.use_by_day() : m.use_by_month()
  const length = (
    <SegmentedControl
      size="xs"
      aria-label={m.use_length()}
      value={String(days)}
      data={lengths.map((one) => ({ value: String(one), label: m.days_count({ count: one }) }))}
      onChange={(chosen) => change({ days: chosen === String(lengths[0]) ? undefined : Number(chosen) })}
    />
  )
  return (
    <Section id="daily-use" title={title} aside={length}>
      <UseFilters narrowing={narrowing} range={{ ...range, from: addDays(profile.as_of, -364) }} />
      <UseChart
        narrowing={narrowing}
        range={range}
        unit={unit}
        by="resource"
        label={title}
        whole={m.use_whole({ count: days })}
      />
      <p className={classes.foot}>
        <Link to={href('usages')} search={{ account: narrowing.client_id }}>
          {m.use_more()}
        </Link>
      </p>
    </Section>
  )
}
