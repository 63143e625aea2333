import { NativeSelect, SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Billing } from '../../../api/queries/billing.ts'
import { UsageChart } from '../../../components/money/usage-chart.tsx'
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

const groups = ['panel', 'meter', 'project', 'resource'] as const
const groupNames = {
  panel: m.usage_panel,
  meter: m.usage_meter,
  project: m.workspace,
  resource: m.usage_resource,
}

/** The group in the address, by which the columns are split. */
function useGroup() {
  const [given, change] = useSearchState()
  const by = groups.find((group) => group === given.by) ?? groups[0]
  const choice = (
    <NativeSelect
      size="sm"
      label={m.usage_split()}
      value={by}
      data={groups.map((value) => ({ value, label: groupNames[value]() }))}
      onChange={({ currentTarget: { value } }) => change({ by: value === groups[0] ? undefined : value })}
    />
  )
  return { by, choice }
}

/** The daily use by panel, kind of use, workspace or resource, over a month, a quarter or a year. */
export function DailyUse({ profile, preset }: { profile: Billing; preset: number | undefined }) {
  const [given, change] = useSearchState()
  const days = lengths.find((length) => length === Number(given.days)) ?? lengths[0]
  const narrowing = useNarrowing(preset)
  const { by, choice } = useGroup()
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
    <Section
      id="daily-use"
      title={title}
      aside={
        <>
          {length}
          <Link to={href('usages')} search={{ account: narrowing.client_id }} className={classes.details}>
            {m.use_more()}
          </Link>
        </>
      }
    >
      <UseFilters narrowing={narrowing} range={{ ...range, from: addDays(profile.as_of, -364) }}>
        {choice}
      </UseFilters>
      <UsageChart
        narrowing={narrowing}
        range={range}
        unit={unit}
        by={by}
        label={title}
        whole={m.use_whole({ count: days })}
        today={profile.as_of}
        before={
          unit === 'day'
            ? {
                range: { from: addDays(range.from, -days), to: addDays(range.from, -1) },
                name: m.use_before({ count: days }),
              }
            : undefined
        }
      />
    </Section>
  )
}
