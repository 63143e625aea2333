import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pending } from '#platform/db/migrate.ts'
import type { Pool } from '#platform/db/pool.ts'
import { routeNotFound } from './errors.ts'
import type { Metrics } from './metrics.ts'
import type { Trust } from './trust.ts'

const patience = 1000

// A portal that answers reads alone stays ready, or the proxy would take these away too.
const isReadOnly = 'ready, but nothing can be saved: the database is read-only'
const isOfCopy = 'ready, but this portal is a copy, which changes nothing: docs/operations/back-up.md'
const wasFull = 'ready, but a write of the last minute failed: the disk of the database is full'
const readOnlySql = `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "readOnly"`

type Parts = {
  readonly pool: Pool
  readonly metrics: Metrics
  /** Whether an address is in METRICS_NETWORKS. */
  readonly measurer: Trust
  /** Undefined: no token opens the metrics. */
  readonly metricsToken: string | undefined
  /** Resolves when the demo data is complete, if this is a demo. */
  readonly filled?: Promise<void> | undefined
  /** Decided at the start: while others act, one that began as a copy has to be restarted. */
  readonly isCopy?: boolean | undefined
}

/** Whether requests can be answered; if so, `text` is `ready`, or what is limited. */
type Readiness = { readonly isReady: boolean; readonly text: string }

const ready = (text: string): Readiness => ({ isReady: true, text })
const notReady = (why: string): Readiness => ({ isReady: false, text: `not ready: ${why}` })

/** Whether the database answers, has all migrations, and takes writes. */
function databaseState({ pool, isCopy }: Parts): () => Promise<Readiness> {
  let current = false
  const queryable = { query: async (sql: string) => ({ rows: await pool.run({ sql, values: [] }) }) }
  return async () => {
    // Migrations are never reverted, so once they are current only the connection needs checking.
    current ||= (await pending(queryable)).length === 0
    if (!current) return notReady('the database lacks migrations')
    const [row] = await pool.run<{ readOnly: boolean }>({ sql: readOnlySql, values: [] })
    if (row?.readOnly) return ready(isReadOnly)
    if (isCopy) return ready(isOfCopy)
    return ready(pool.refusedWrites.wasFull ? wasFull : 'ready')
  }
}

/** The readiness of a portal. Concurrent callers share one query. */
function readiness(app: FastifyInstance, parts: Parts): () => Promise<Readiness> {
  const { filled } = parts
  let full = filled === undefined
  filled?.then(
    () => {
      full = true
    },
    () => undefined,
  )
  let looking: Promise<Readiness> | undefined
  const look = databaseState(parts)
  const unreachable = () => notReady('the database cannot be reached')
  const tooLong = async () => {
    await sleep(patience, undefined, { ref: false })
    return notReady('the database does not answer')
  }
  return async () => {
    if (app.stage !== 'serving') return notReady('the server is stopping')
    if (!full) return notReady('the demo is being seeded')
    looking ??= Promise.race([look().catch(unreachable), tooLong()]).finally(() => {
      looking = undefined
    })
    return looking
  }
}

// A request with any of these headers was relayed by a proxy, so the peer address is not the client's.
const relayed = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Whether the request may read the metrics. A local address is not enough: a local proxy may relay public
 * requests without a header, so METRICS_NETWORKS should hold no proxy that adds none.
 */
function mayReadMetrics({ headers, socket }: FastifyRequest, { measurer, metricsToken }: Parts): boolean {
  if (
    metricsToken !== undefined &&
    timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${metricsToken}`))
  )
    return true
  return measurer(socket.remoteAddress) && relayed.every((name) => headers[name] === undefined)
}

/** Serves the endpoints for machines: /healthz, /readyz, and /metrics. */
export function health(app: FastifyInstance, parts: Parts): void {
  const { metrics } = parts
  const readinessNow = readiness(app, parts)
  const quiet = { config: { quiet: true } }
  const say = (reply: FastifyReply, status: number, text: string) =>
    reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`)
  app.get('/healthz', quiet, (_request, reply) => say(reply, 200, 'alive'))
  app.get('/readyz', quiet, async (_request, reply) => {
    const { isReady, text } = await readinessNow()
    return say(reply, isReady ? 200 : 503, text)
  })
  app.get('/metrics', quiet, async (request, reply) => {
    if (!mayReadMetrics(request, parts)) throw routeNotFound(request)
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
