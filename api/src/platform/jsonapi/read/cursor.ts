import { sql } from 'kysely'
import { type Pool, type Row, runnerOf, type Statement } from '#platform/db/pool.ts'
import { setForTransaction } from '#platform/db/settings.ts'

const rowsAtOnce = 500

/**
 * Reads rows by a cursor: only a few hundred are in memory, and all are from one snapshot.
 *
 * @param longest the time limit of a statement, where it is longer than that of a request.
 */
export async function* rowsOf(
  pool: Pool,
  { sql: text, values }: Statement,
  longest?: string,
): AsyncGenerator<Row[]> {
  const tx = await pool.kysely
    .startTransaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute()
  const run = runnerOf(tx)
  try {
    // Ends the export of a client that stops reading.
    await sql`set local idle_in_transaction_session_timeout = '15s'`.execute(tx)
    if (longest !== undefined) await setForTransaction(tx, 'statement_timeout', longest)
    await run.run({ sql: `declare exported no scroll cursor for ${text}`, values })
    for (;;) {
      const rows = await run.run({ sql: `fetch ${rowsAtOnce} from exported`, values: [] })
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    await tx.rollback().execute()
  }
}
