import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import { logSlowStatements } from '#platform/slow-statements.ts'
import { exportSpans } from '#platform/spans/export-spans.ts'

/** Logs slow statements, and exports traces where that is configured. Returns the function that ends both. */
export async function startWatching({ traces }: Env, log: Logger): Promise<() => Promise<void>> {
  const unlogged = logSlowStatements(log)
  const unrecorded = traces && (await exportSpans(traces, log))
  return async () => {
    unlogged()
    await unrecorded?.()
  }
}
