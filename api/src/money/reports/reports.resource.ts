import { reports } from '@portico/contract/resources/reports.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { readReport } from './read-report.ts'

const readers = staffAlone(...moneyStaff.roles)

export default serve(reports, {
  table: 'reports',
  ofStaff: true,
  policy: { read: readers, figures: readers },
  columns: {
    made_at: () =>
      sql`(select d.made_at from report_days d where d.made_at is not null order by d.day desc limit 1)`,
    days_missing: () => sql`(select count(*)::int from report_days d where d.made_at is null)`,
  },
  actions: { figures: readReport },
})
