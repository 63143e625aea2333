import { bankStatements } from '@portico/contract/resources/bank-statements.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { sameAll } from './decisions/decide-doubtful.ts'
import { importStatement } from './imports/import-statement.ts'
import { takeBack } from './imports/take-back.ts'
import { canBeTakenBack, isBrought } from './line-states.ts'

/** SQL: the lines that an import brought, `l`. Counted when they are read: a decision about a line waits for no import. */
const brought = sql`bank_lines l where l.statement_id = bank_statements.id and ${isBrought('l')}`

const writers = staffAlone(...moneyWriters.roles)

export default serve(bankStatements, {
  table: 'bank_statements',
  ofStaff: true,
  policy: {
    read: staffAlone(...moneyStaff.roles),
    importStatement: writers,
    takeBack: writers,
    sameAll: writers,
  },
  columns: {
    open_lines: () =>
      sql`(select count(*)::int from bank_lines l where l.statement_id = bank_statements.id and l.state = 'open')`,
    matched_lines: () =>
      sql`(select count(*)::int from bank_lines l where l.statement_id = bank_statements.id and l.state = 'matched')`,
    imported: () => sql`(select count(*)::int from ${brought})`,
    total: () => sql`(select coalesce(sum(l.amount), 0) from ${brought})`,
    left_lines: () => sql`(select count(*)::int from bank_lines l
      where l.statement_id = bank_statements.id and ${canBeTakenBack})`,
    doubtful_lines: () =>
      sql`(select count(*)::int from bank_lines l where l.statement_id = bank_statements.id and l.state = 'doubtful')`,
    imported_by: () => sql`(select a.display_name from admins a where a.id = bank_statements.admin_id)`,
  },
  order: '-createdAt',
  actions: { importStatement, takeBack, sameAll },
})
