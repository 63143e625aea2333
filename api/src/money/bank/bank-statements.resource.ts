import { bankStatements } from '@portico/contract/resources/bank-statements.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { importStatement } from './import-statement.ts'
import { takeBack } from './take-back.ts'

const writers = staffAlone(...moneyWriters.roles)

export default serve(bankStatements, {
  table: 'bank_statements',
  ofStaff: true,
  policy: {
    read: staffAlone(...moneyStaff.roles),
    importStatement: writers,
    takeBack: writers,
  },
  columns: {
    open_lines: () =>
      sql`(select count(*)::int from bank_lines l where l.statement_id = bank_statements.id and l.state = 'open')`,
    matched_lines: () =>
      sql`(select count(*)::int from bank_lines l where l.statement_id = bank_statements.id and l.state = 'matched')`,
    doubtful_lines: () =>
      sql`(select count(*)::int from bank_lines l where l.statement_id = bank_statements.id and l.state = 'doubtful')`,
    imported_by: () => sql`(select a.display_name from admins a where a.id = bank_statements.admin_id)`,
  },
  order: '-createdAt',
  actions: { importStatement, takeBack },
})
