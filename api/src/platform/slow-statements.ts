import { channel } from 'node:diagnostics_channel'
import type { Logger } from 'pino'
import { recordStatement } from './spans/recorder.ts'
import { currentTrace } from './trace.ts'

type SlowStatement = { readonly sql: string; readonly ms: number; readonly pid: number | null }

// Pools have no logger, and a message runs in the context of the request or job that sent the statement.
const slow = channel('portico.slow-statement')

const slowMs = 1000
// Statements of several kilobytes are recognized by their beginning.
const longestText = 1000

/**
 * Records a statement since `begun`, a time of `performance.now()`, and publishes one that took a second or longer. `pid` is
 * the process of PostgreSQL, which its own log names too.
 *
 * @param failure the SQLSTATE of its failure, or '' for one without.
 */
export function noteStatement(sql: string, begun: number, pid: number | null, failure?: string): void {
  recordStatement({ sql, begun, pid, failure })
  const ms = Math.round(performance.now() - begun)
  if (ms >= slowMs) slow.publish({ sql, ms, pid } satisfies SlowStatement)
}

/** Logs slow statements, with their trace and without values. Returns the function that ends it. */
export function logSlowStatements(log: Logger): () => void {
  const write = (message: unknown) => {
    // The channel has one publisher, above.
    const { sql, ms, pid } = message as SlowStatement
    const trace = currentTrace()
    const line = {
      ms,
      database_pid: pid,
      sql: sql.slice(0, longestText),
      ...(trace && { trace_id: trace.id }),
    }
    log.warn(line, 'slow statement')
  }
  slow.subscribe(write)
  return () => void slow.unsubscribe(write)
}
