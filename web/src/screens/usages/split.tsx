import { SegmentedControl } from '@mantine/core'
import type { Group } from '../../api/queries/usage.ts'
import { useSearchState } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'
import { ScrollRow } from '../../ui/scroll-row.tsx'
import '../../ui/styles/segmented.ts'
import type { Period } from './period.ts'

/** The rows of the table: sums by day, place or resource, or single records. */
export type Split = Group | 'lines'

/** The label of each kind of row. */
export const splitNames: Record<Split, () => string> = {
  month: m.usage_by_month,
  day: m.usage_by_day,
  project: m.workspace,
  panel: m.usage_panel,
  resource: m.usage_resource,
  meter: m.usage_meter,
  lines: m.usage_lines,
}

const offered = ({ kind }: Period): readonly Split[] =>
  kind === 'day'
    ? ['lines']
    : [kind === 'year' ? 'month' : 'day', 'project', 'panel', 'resource', 'meter', 'lines']

/** The split in the address; by default the first one of the period. */
export function splitIn(given: unknown, period: Period): Split {
  const [usual, ...others] = offered(period)
  return others.find((one) => one === given) ?? usual ?? 'lines'
}

/** The chart stacks the rows' own split; where the rows are days already, the resources. */
export const chartedBy = (split: Split): Exclude<Group, 'day' | 'month'> =>
  split === 'month' || split === 'day' || split === 'lines' ? 'resource' : split

export function SplitChoice({ split, period }: { split: Split; period: Period }) {
  const [, change] = useSearchState()
  const [usual] = offered(period)
  return (
    <ScrollRow chosen={split}>
      <SegmentedControl
        aria-label={m.usage_split()}
        value={split}
        data={offered(period).map((value) => ({ value, label: splitNames[value]() }))}
        onChange={(value) => change({ split: value === usual ? undefined : value, page: undefined })}
      />
    </ScrollRow>
  )
}
