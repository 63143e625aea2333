import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pending } from '#platform/db/migrate.ts'
import type { Pool } from '#platform/db/pool.ts'
import { routeNotFound } from './errors.ts'
import type { Metrics } from './metrics.ts'
import type { Trust } from './trust.ts'

const patience = 1000

type Parts = {
  readonly pool: Pool
  readonly metrics: Metrics
  /** Whether an address is in METRICS_NETWORKS. */
  readonly measurer: Trust
  /** Undefined: no token opens the metrics. */
  readonly metricsToken: string | undefined
  /** Resolves when the demo data is complete, if this is a demo. */
  readonly filled?: Promise<void> | undefined
}

/** The reason why the portal is not ready, or undefined when it is. Concurrent callers share one query. */
function readiness(app: FastifyInstance, { pool, filled }: Parts): () => Promise<string | undefined> {
  let current = false
  let full = filled === undefined
  filled?.then(
    () => {
      full = true
    },
    () => undefined,
  )
  let looking: Promise<string | undefined> | undefined
  const queryable = { query: async (sql: string) => ({ rows: await pool.run({ sql, values: [] }) }) }
  const look = async (): Promise<string | undefined> => {
    // Migrations are never reverted, so once they are current only the connection needs checking.
    if (current) await queryable.query('select 1')
    else {
      current = (await pending(queryable)).length === 0
      if (!current) return 'the database lacks migrations'
    }
    return undefined
  }
  const tooLong = async () => {
    await sleep(patience, undefined, { ref: false })
    return 'the database does not answer'
  }
  return async () => {
    if (app.stage !== 'serving') return 'the server is stopping'
    if (!full) return 'the demo is being seeded'
    looking ??= Promise.race([look().catch(() => 'the database cannot be reached'), tooLong()]).finally(
      () => {
        looking = undefined
      },
    )
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
  const whyNot = readiness(app, parts)
  const quiet = { config: { quiet: true } }
  const say = (reply: FastifyReply, status: number, text: string) =>
    reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`)
  app.get('/healthz', quiet, (_request, reply) => say(reply, 200, 'alive'))
  app.get('/readyz', quiet, async (_request, reply) => {
    const reason = await whyNot()
    return reason === undefined ? say(reply, 200, 'ready') : say(reply, 503, `not ready: ${reason}`)
  })
  app.get('/metrics', quiet, async (request, reply) => {
    if (!mayReadMetrics(request, parts)) throw routeNotFound(request)
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
