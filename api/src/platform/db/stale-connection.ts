type Reported = Error & { readonly code: string; readonly routine?: string }

const isReported = (error: unknown): error is Reported =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** Whether a migration has changed what a prepared statement answers; it then fails for as long as its connection lives. */
export const hasStalePlan = (error: unknown): boolean =>
  isReported(error) && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/**
 * Whether the server does not write: a statement was to write (25006), or a transaction was to begin that may. The words of
 * the latter are in the server's language, the name of the routine is not.
 */
export const isReadOnly = (error: unknown): boolean =>
  isReported(error) &&
  (error.code === '25006' || (error.code === '0A000' && error.routine === 'call_bool_check_hook'))

/**
 * Whether another connection may run what this one could not: its plan is stale, a pooler has lost its prepared statement
 * (26000), or it leads to a standby. The server says so instead of running the statement and undoes its transaction, a
 * `commit` included, so nothing was written. A lost connection is not among these: nobody knows what became of its commit.
 */
export const isStaleConnection = (error: unknown): boolean =>
  hasStalePlan(error) || isReadOnly(error) || (isReported(error) && error.code === '26000')

/** How often the same is sent before its failure is reported. */
export const mostAttempts = 4
