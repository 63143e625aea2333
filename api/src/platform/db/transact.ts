import type { Transaction } from 'kysely'
import type { Database } from './pool.ts'
import { isSqlState } from './sql-states.ts'
import { isReadOnly, isStaleConnection, mostAttempts } from './stale-connection.ts'
import type { DB } from './types.ts'

/** Two transactions that block each other, or met in an order that cannot be: one of them starts again. */
const isConflict = (error: unknown): boolean => isSqlState(error, 'serializationFailure', 'deadlock')

/**
 * Runs work in one transaction, committed when it resolves. After a deadlock or on a stale connection the transaction was
 * undone and runs again, so the work must do nothing outside of the database. When the connection is lost it does not run
 * again, because it may have been committed.
 */
export async function transact<T>(
  db: Database,
  mode: 'read only' | 'read write',
  work: (tx: Transaction<DB>) => Promise<T>,
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
