import { isSqlState } from './sql-states.ts'

/** Whether a routine of the server refused what it does not support. */
const isRefusedBy = (error: unknown, routine: string): boolean =>
  isSqlState(error, 'featureNotSupported') &&
  error instanceof Error &&
  'routine' in error &&
  error.routine === routine

/** Whether a migration has changed what a prepared statement answers; it then fails for as long as its connection lives. */
export const hasStalePlan = (error: unknown): boolean => isRefusedBy(error, 'RevalidateCachedQuery')

/**
 * Whether the server does not write: a statement was to write, or a transaction was to begin that may. The words of
 * the latter are in the server's language, the name of the routine is not.
 */
export const isReadOnly = (error: unknown): boolean =>
  isSqlState(error, 'readOnlyTransaction') || isRefusedBy(error, 'call_bool_check_hook')

/**
 * Whether another connection may run what this one could not: its plan is stale, a pooler has lost its prepared statement or it leads to a standby. The server says so instead of running the statement and undoes its transaction, a
 * `commit` included, so nothing was written. A lost connection is not among these: nobody knows what became of its commit.
 */
export const isStaleConnection = (error: unknown): boolean =>
  hasStalePlan(error) || isReadOnly(error) || isSqlState(error, 'invalidStatementName')

/** How often the same is sent before its failure is reported. */
export const mostAttempts = 4
