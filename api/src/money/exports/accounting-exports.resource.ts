import { accountingExports } from '@portico/contract/resources/accounting-exports.ts'
import { mostExportDays } from '@portico/contract/rules/money/accounting-exports.ts'
import { dayMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { refuse } from '#platform/errors/problem.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'

const source = { pointer: '/data/attributes/to_day' }

/** Throws `export_period_reversed`, `export_period_most` and `export_period_year`. */
function assertPeriod(kind: string, from: string, to: string): void {
  if (to < from) throw refuse('export_period_reversed', {}, { source })
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days > mostExportDays) throw refuse('export_period_most', { days: mostExportDays }, { source })
  // Its days have no year.
  if (kind === 'datev' && from.slice(0, 4) !== to.slice(0, 4))
    throw refuse('export_period_year', {}, { source })
}

export default serve(accountingExports, {
  table: 'accounting_exports',
  ofStaff: true,
  routine: true,
  policy: { read: staffAlone(...moneyStaff.roles), create: staffAlone(...moneyStaff.roles) },
  columns: {
    exported_by: () => sql`(select a.display_name from admins a where a.id = accounting_exports.admin_id)`,
  },
  fill: ({ actor: { staff }, sent: { kind = '', from_day = '', to_day = '' } }) => {
    if (staff === undefined) throw new Error('The policy lets staff alone through.')
    assertPeriod(kind, from_day, to_day)
    return { admin_id: staff.id }
  },
  filters: { kind: 'kind' },
  order: '-createdAt',
})
