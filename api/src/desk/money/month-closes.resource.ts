import { monthCloses } from '@portico/contract/resources/month-closes.ts'
import { sql } from 'kysely'
import { closeMonthNow, retryClose } from '#desk/verbs/close-month.ts'
import { monthEnd } from '#money/invoices/month/open-items.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { openMonth, previewMonth } from './month-preview.ts'
import { previewMonthVat } from './month-vat.ts'

const readers = staffAlone(...moneyStaff.roles)
const writers = staffAlone(...moneyWriters.roles)

export default serve(monthCloses, {
  table: 'operator_profile',
  ofStaff: true,
  policy: { read: readers, preview: readers, previewVat: readers, closeMonth: writers, retryClose: writers },
  columns: {
    from_day: () => sql`(${monthEnd} - interval '1 month')::date`,
    to_day: () => sql`${monthEnd} - 1`,
    waiting: () => sql`(select count(distinct o.client_id)::int from (${openMonth}) o)`,
    failed: () =>
      sql`(select count(*)::int from staff_alerts a where a.kind = 'bill_not_issued' and a.resolved_at is null)`,
  },
  actions: { preview: previewMonth, previewVat: previewMonthVat, closeMonth: closeMonthNow, retryClose },
})
