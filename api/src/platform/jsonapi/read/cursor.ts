import { sql } from 'kysely'
import type { Reads } from '#platform/db/hosts/reads.ts'
import { type Pool, type Row, type Runner, runnerOf, type Statement } from '#platform/db/pool.ts'
import { setForTransaction } from '#platform/db/settings.ts'

const rowsAtOnce = 500

/** Begins a snapshot; the caller ends it. */
async function begin(pool: Pool, longest: string | undefined) {
  const tx = await pool.kysely
    .startTransaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute()
  const end = async () => void (await tx.rollback().execute())
  try {
    // Ends the export of a client that stops reading.
    await sql`set local idle_in_transaction_session_timeout = '15s'`.execute(tx)
    if (longest !== undefined) await setForTransaction(tx, 'statement_timeout', longest)
    return { run: runnerOf(tx), end }
  } catch (error) {
    await end()
    throw error
  }
}

const declare = (run: Runner, { sql: text, values }: Statement): Promise<Row[]> =>
  run.run({ sql: `declare exported no scroll cursor for ${text}`, values })
const fetchSome = (run: Runner): Promise<Row[]> =>
  run.run({ sql: `fetch ${rowsAtOnce} from exported`, values: [] })

/** Opens a cursor and reads its first rows; the caller ends its transaction. */
async function open(pool: Pool, statement: Statement, longest: string | undefined) {
  const { run, end } = await begin(pool, longest)
  try {
    await declare(run, statement)
    return { first: await fetchSome(run), next: () => fetchSome(run), end }
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

/** Reads the rows of a statement of a snapshot, which reads one statement at a time. */
export type SnapshotReader = (statement: Statement) => AsyncGenerator<Row>

/** Makes a text of the rows of a snapshot. */
type Use = (read: SnapshotReader) => AsyncGenerator<string>

/** Begins a snapshot and makes the first part of a text of it; the caller ends both. */
async function beginText(pool: Pool, longest: string, use: Use) {
  const { run, end: endSnapshot } = await begin(pool, longest)
  const parts = use(async function* read(statement) {
    await declare(run, statement)
    for (let rows = await fetchSome(run); rows.length > 0; rows = await fetchSome(run)) yield* rows
    await run.run({ sql: 'close exported', values: [] })
  })
  const end = async () => {
    await parts.return(undefined)
    await endSnapshot()
  }
  try {
    return { first: await parts.next(), parts, end }
  } catch (error) {
    await end()
    throw error
  }
}

/**
 * Writes what `use` makes of several statements, whose rows are all from one snapshot. The primary answers instead of a replica that
 * fails before the first part, so `use` may begin twice.
 */
export async function* inSnapshot(reads: Reads, longest: string, use: Use): AsyncGenerator<string> {
  const { first, parts, end } = await reads.use((pool) => beginText(pool, longest, use))
  try {
    if (!first.done) yield first.value
    yield* parts
  } finally {
    await end()
  }
}
