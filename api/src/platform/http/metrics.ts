import { dayMs } from '@portico/contract/time.ts'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Reads } from '#platform/db/hosts/reads.ts'
import type { Pool } from '#platform/db/pool.ts'
import { type Measure, type Measured, measuring } from './measures.ts'

export type Metrics = {
  begin(): void
  end(): void
  observe(method: string, route: string, status: number, seconds: number): void
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

// Process and event-loop metrics are shared by all applications in the process, because their observers never
// end.
let ofProcess: Registry | undefined

function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

// Clients can send arbitrary method names, which must not each become a time series.
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** Registers a metric that is read when it is scraped. */
function measured(register: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [register], collect: () => gauge.set(read()) })
}

function poolGauges(pool: Pool, register: Registry): void {
  const connections = new Gauge({
    name: 'portico_database_connections',
    help: 'Connections of the pool by state.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      const { total, idle } = pool.counts
      connections.set({ state: 'idle' }, idle)
      connections.set({ state: 'busy' }, total - idle)
    },
  })
  measured(
    register,
    'portico_database_waiting',
    'Callers waiting for a pool connection.',
    () => pool.counts.waiting,
  )
}

/** Counts what the database refused to write to this process, by reason. */
function refusedCounter(pool: Pool, register: Registry): void {
  const refused = new Counter({
    name: 'portico_refused_writes_total',
    help: 'Statements since the start that failed because the disk of the database is full, or the database is read-only.',
    labelNames: ['reason'],
    registers: [register],
    collect() {
      refused.reset()
      for (const [reason, count] of Object.entries(pool.refusedWrites.counts)) refused.inc({ reason }, count)
    },
  })
}

/** How far the replica for reads is behind, and who answered; without a replica they have no values. */
function readGauges(reads: Reads, register: Registry): void {
  const lag = new Gauge({
    name: 'portico_read_lag_seconds',
    help: 'How far the replica of DATABASE_READ_URL is behind; missing while it is away.',
    registers: [register],
    async collect() {
      const seconds = reads.counts && (await reads.lag().catch(() => undefined))
      if (seconds === undefined) lag.remove()
      else lag.set(seconds)
    },
  })
  const answered = new Counter({
    name: 'portico_replica_reads_total',
    help: 'Reads for the replica since the start: answered by it, or by the primary because it was behind, away or failed.',
    labelNames: ['outcome'],
    registers: [register],
    collect() {
      answered.reset()
      for (const [outcome, count] of Object.entries(reads.counts ?? {})) answered.inc({ outcome }, count)
    },
  })
}

/**
 * Creates the metrics of one application, with what is measured in the database. `usageKeptDays`: how long
 * usage stays there.
 */
export function createMetrics(
  { pool, reads }: Measured,
  measures: readonly Measure[],
  usageKeptDays: number,
): Metrics {
  const register = new Registry()
  let inFlight = 0
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  })
  measured(register, 'http_requests_in_flight', 'Requests in progress.', () => inFlight)
  measured(
    register,
    'portico_usage_retention_seconds',
    'How long usage stays in the database, by USAGE_KEPT_DAYS; portico_usage_kept_seconds is compared with it.',
    () => (usageKeptDays * dayMs) / 1000,
  )
  poolGauges(pool, register)
  refusedCounter(pool, register)
  readGauges(reads, register)
  const measure = measuring({ pool, reads }, register, measures)
  const merged = Registry.merge([processRegistry(), register])
  return {
    begin: () => {
      inFlight++
    },
    end: () => {
      inFlight--
    },
    observe: (method, route, status, seconds) =>
      duration.observe(
        { method: methods.has(method) ? method : 'OTHER', route, status: `${Math.floor(status / 100)}xx` },
        seconds,
      ),
    text: async () => {
      await measure()
      return merged.metrics()
    },
    contentType: merged.contentType,
  }
}
