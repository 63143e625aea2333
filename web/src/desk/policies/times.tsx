import { useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section } from '../../ui/section.tsx'
import { periodsOf } from '../lists/periods.ts'
import { type TimeLineRow, TimeLines } from '../lists/time-lines.tsx'
import { ruleName, ruleValue } from './words.ts'

/** The newest changes, which are drawn; the table below the lines has all. */
const drawn = 100

type Entry = Row<'policy-changes'>['changes'][number] & { readonly on: string }

/** A line for each rule that was changed, the last changed first; the changes come newest first. */
function linesOf(rows: readonly Row<'policy-changes'>[]): TimeLineRow[] {
  const entries = rows.flatMap(({ at, changes }) =>
    changes.map((one): Entry => ({ ...one, on: at.slice(0, 10) })),
  )
  const ofRules = Map.groupBy(entries, ({ policy, currency, field }) =>
    JSON.stringify([policy, currency, field]),
  )
  return [...ofRules].flatMap(([key, ofRule]) => {
    const [last] = ofRule
    if (last === undefined) return []
    const spans = periodsOf(ofRule.toReversed()).map(({ value, ...period }) => ({
      ...period,
      words: ruleValue(last, value),
    }))
    return [{ key, name: ruleName(last), spans }]
  })
}

/** What each changed rule was when; without changes there is nothing to draw. */
export function PolicyTimes() {
  const { data } = useQuery(list('policy-changes', { sort: '-at', page: { size: drawn } }))
  const rows = linesOf(data?.items ?? [])
  if (rows.length === 0) return null
  return (
    <Section id="times" title={m.desk_policies_times()} lead={m.desk_policies_times_lead()}>
      <TimeLines label={m.desk_policies_times()} rows={rows} />
    </Section>
  )
}
