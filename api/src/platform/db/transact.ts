import { type Database, type Runner, runnerOf } from './pool.ts'
import { isSqlState, sqlStates } from './sql-states.ts'
import { isReadOnly, isStaleConnection, mostAttempts } from './stale-connection.ts'

/** Thrown when data that this transaction has read was changed; the transaction is repeated. */
export class Conflict extends Error {
  readonly code = sqlStates.serializationFailure
}

/** A deadlock or serialization failure: one of the transactions has to start again. */
const isConflict = (error: unknown): boolean => isSqlState(error, 'serializationFailure', 'deadlock')

/**
 * Runs work in one transaction, committed when it resolves. After a deadlock or on a stale connection the
 * transaction was rolled back and is repeated, so the work must have no effect outside the database. It is
 * not repeated after a lost connection, because it may have been committed.
 */
export async function transact<T>(
  db: Database,
  mode: 'read only' | 'read write',
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().setAccessMode(mode).execute(work)
    } catch (error) {
      if (mode === 'read only' && isReadOnly(error))
        throw new Error('A transaction that only reads tried to write.', { cause: error })
      if (attempt === mostAttempts || !(isConflict(error) || isStaleConnection(error))) throw error
    }
  }
}

/** Runs each statement in a transaction that PostgreSQL keeps from writing. */
export const readOnly = (db: Database): Runner => ({
  run: (statement) => transact(db, 'read only', (tx) => runnerOf(tx).run(statement)),
})
