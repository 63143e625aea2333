import { isCertificateRefused } from '#platform/db/hosts/certificate.ts'
import { refusedReason } from '#platform/db/hosts/refused-writes.ts'
import { codeOf, isSqlState } from '#platform/db/sql-states.ts'
import { isStaleConnection } from '#platform/db/stale-connection.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'

// Connection lost or refused (class 08), out of resources (53), going down or coming up (57P0x).
const awayCodes = /^(?:08...|53...|57P0[1-5])$/
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EAI_AGAIN',
  'ENOTFOUND',
])

// The messages of pg and pg-pool, which give these failures no code.
const awayMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]

function isAway(error: Error): boolean {
  const code = codeOf(error)
  // ENOENT means a missing socket only when a connection was tried; otherwise it is a missing file, and a
  // bug.
  if (socketCodes.has(code))
    return 'syscall' in error && /^(?:connect|read|write|getaddrinfo)$/.test(String(error.syscall))
  // A certificate that expires while the portal runs refuses the next connections; the log says why.
  if (isCertificateRefused(error)) return true
  return (
    awayCodes.test(code) || (code === '' && awayMessages.some((words) => error.message.startsWith(words)))
  )
}

/** The response to a transient failure of the database; undefined for any other error. */
export function databaseFailure(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  const retry = { headers: { 'retry-after': '1' } }
  // Statement timeout, lock timeout, serialization failure or deadlock.
  if (isSqlState(error, 'queryCanceled', 'lockNotAvailable', 'serializationFailure', 'deadlock'))
    return refuse('busy', {}, retry)
  if (refusedReason(error) !== undefined) return refuse('writes_refused', {}, retry)
  if (isAway(error) || isStaleConnection(error)) return refuse('unavailable', {}, retry)
  // Happy Eyeballs reports every attempted address in one error.
  if (error instanceof AggregateError && error.errors.some((one) => one instanceof Error && isAway(one)))
    return refuse('unavailable', {}, retry)
  return undefined
}
