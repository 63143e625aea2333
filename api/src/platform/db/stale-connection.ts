import { isSqlState } from './sql-states.ts'

/** Whether a routine of the server refused an unsupported operation. */
const isRefusedBy = (error: unknown, routine: string): boolean =>
  isSqlState(error, 'featureNotSupported') &&
  error instanceof Error &&
  'routine' in error &&
  error.routine === routine

/**
 * Whether a migration has changed the result type of a prepared statement, which then fails for the life of
 * its connection.
 */
export const hasStalePlan = (error: unknown): boolean => isRefusedBy(error, 'RevalidateCachedQuery')

/**
 * Whether the server is read-only: it refused a write, or the begin of a writing transaction. The message of
 * the latter is localized, the name of the routine is not.
 */
export const isReadOnly = (error: unknown): boolean =>
  isSqlState(error, 'readOnlyTransaction') || isRefusedBy(error, 'call_bool_check_hook')

/**
 * Whether another connection may run this statement: the plan is stale, a pooler has lost the prepared
 * statement, or the connection leads to a standby. The server reports it instead of running the statement and
 * rolls the transaction back, even at `commit`, so nothing was written. A lost connection is excluded,
 * because the outcome of its commit is unknown.
 */
export const isStaleConnection = (error: unknown): boolean =>
  hasStalePlan(error) || isReadOnly(error) || isSqlState(error, 'invalidStatementName')

/** The number of attempts before the failure is reported. */
export const mostAttempts = 4
