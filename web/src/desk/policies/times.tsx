import { useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section } from '../../ui/section.tsx'
import { TimeLines } from '../lists/time-lines.tsx'
import { linesOf } from './lines.ts'

/** The newest changes, which are drawn; the table below the lines has all. */
const drawn = 100

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
