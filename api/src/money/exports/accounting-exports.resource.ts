import { accountingExports } from '@portico/contract/resources/accounting-exports.ts'
import { sql } from 'kysely'
import { refuse } from '#platform/errors/problem.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { assertPeriod } from './export-period.ts'
import { assertSaft } from './saft/assert-saft.ts'

const source = { pointer: '/data/attributes/to_day' }

export default serve(accountingExports, {
  table: 'accounting_exports',
  ofStaff: true,
  routine: true,
  policy: { read: staffAlone(...moneyStaff.roles), create: staffAlone(...moneyStaff.roles) },
  columns: {
    exported_by: () => sql`(select a.display_name from admins a where a.id = accounting_exports.admin_id)`,
  },
  fill: async ({ tx, actor: { staff }, sent: { kind = '', from_day = '', to_day = '' } }) => {
    if (staff === undefined) throw new Error('The policy lets staff alone through.')
    assertPeriod(from_day, to_day, { source })
    // Its days have no year.
    if (kind === 'datev' && from_day.slice(0, 4) !== to_day.slice(0, 4))
      throw refuse('export_period_year', {}, { source })
    if (kind === 'saft') await assertSaft(tx, { from: from_day, to: to_day })
    return { admin_id: staff.id }
  },
  filters: { kind: 'kind' },
  order: '-createdAt',
})
