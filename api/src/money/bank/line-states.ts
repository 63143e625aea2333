import { type SqlBool, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

// What the states of `bank_lines` mean.

/** SQL: a line, by its alias, brought money of its own, whatever was decided about it since. */
export const isBrought = (line: string) =>
  sql<SqlBool>`${sql.ref(line)}.state not in ('taken_back', 'doubtful', 'same')`

/** SQL: a line `l` can be taken back with its import. For a matched one a document was issued. */
export const canBeTakenBack = sql<SqlBool>`l.state not in ('matched', 'taken_back')`

/** SQL: what a line `l` was before a person said that it is the same as another one. */
export const doubtfulAgain = sql`state = 'doubtful', same_as = coalesce(l.doubt_of, l.same_as), doubt_of = null`

/**
 * Waits for imports, takings back, and decisions that lines are the same, and keeps others waiting until the transaction ends: each says
 * of lines what the others read.
 */
export const holdImports = (tx: Database) =>
  sql`lock table bank_statements in share row exclusive mode`.execute(tx)
