import { sql } from 'kysely'
import type { Reads } from '#platform/db/hosts/reads.ts'
import { type Pool, type Row, runnerOf, type Statement } from '#platform/db/pool.ts'
import { setForTransaction } from '#platform/db/settings.ts'

const rowsAtOnce = 500

/** Opens a cursor and reads its first rows; the caller ends its transaction. */
async function open(pool: Pool, { sql: text, values }: Statement, longest: string | undefined) {
  const tx = await pool.kysely
    .startTransaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute()
  const run = runnerOf(tx)
  const next = () => run.run({ sql: `fetch ${rowsAtOnce} from exported`, values: [] })
  const end = async () => void (await tx.rollback().execute())
  try {
    // Ends the export of a client that stops reading.
    await sql`set local idle_in_transaction_session_timeout = '15s'`.execute(tx)
    if (longest !== undefined) await setForTransaction(tx, 'statement_timeout', longest)
    await run.run({ sql: `declare exported no scroll cursor for ${text}`, values })
    return { first: await next(), next, end }
  } catch (error) {
    await end()
    throw error
  }
}

/**
 * Reads rows by a cursor: only a few hundred are in memory, and all are from one snapshot. A replica that fails later than
 * with the first rows ends the reading, because those that were sent cannot be taken back.
 *
 * @param longest the time limit of a statement, where it is longer than that of a request.
 */
export async function* rowsOf(reads: Reads, statement: Statement, longest?: string): AsyncGenerator<Row[]> {
  const { first, next, end } = await reads.use((pool) => open(pool, statement, longest))
  try {
    for (let rows = first; rows.length > 0; rows = await next()) yield rows
  } finally {
    await end()
  }
}
