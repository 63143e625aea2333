import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from '#platform/db/pool.ts'

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

const lettersSql = `select count(*) filter (where failed_at is null and send_at <= now())::int as waiting,
  count(*) filter (where failed_at is null and send_at > now())::int as delayed,
  count(*) filter (where failed_at > now() - interval '1 day')::int as failed
  from outbox_letters where sent_at is null`

function letterGauge(pool: Pool, register: Registry): void {
  const letters = new Gauge({
    name: 'portico_letters',
    help: 'Letters due, delayed, and given up within a day.',
    labelNames: ['state'],
    registers: [register],
    async collect() {
      // Without a database this metric is missing, but the others are still served.
      const [row] = await pool.run({ sql: lettersSql, values: [] }).catch(() => [])
      letters.reset()
      for (const [state, count] of Object.entries(row ?? {})) letters.set({ state }, Number(count))
    },
  })
}

const enginesSql = `select code, (health = 'up')::int as up from panel_engines
  where disabled_at is null and health <> 'unknown'`

// Jobs that are due, including failed ones to retry; running jobs are not counted.
const jobAgeSql = `select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as seconds
  from graphile_worker._private_jobs where run_at <= now() and locked_at is null and attempts < max_attempts`

const deadJobsSql = `select task_identifier as task, count(*)::int as jobs from graphile_worker.jobs
  where attempts >= max_attempts and locked_at is null group by 1`

function engineGauges(pool: Pool, register: Registry): void {
  const engines = new Gauge({
    name: 'portico_engine_up',
    help: 'Whether a panel engine answered its last health check: 1 or 0.',
    labelNames: ['engine'],
    registers: [register],
    async collect() {
      // The metric is missing without a database.
      const rows = await pool.run({ sql: enginesSql, values: [] }).catch(() => [])
      engines.reset()
      for (const { code, up } of rows) engines.set({ engine: String(code) }, Number(up))
    },
  })
  const dead = new Gauge({
    name: 'portico_dead_jobs',
    help: 'Jobs that have used all their attempts, by task.',
    labelNames: ['task'],
    registers: [register],
    async collect() {
      const rows = await pool.run({ sql: deadJobsSql, values: [] }).catch(() => [])
      dead.reset()
      for (const { task, jobs } of rows) dead.set({ task: String(task) }, Number(jobs))
    },
  })
  const age = new Gauge({
    name: 'portico_job_age_seconds',
    help: 'The time for which the oldest waiting job has been due.',
    registers: [register],
    async collect() {
      const [row] = await pool.run({ sql: jobAgeSql, values: [] }).catch(() => [])
      age.reset()
      if (row) age.set(Number(row.seconds))
    },
  })
}

// Unpriced usage is not charged, and rejected events are revenue that is not billed: the operator must see
// both.
const usageSql = `select (select count(*) from usage_meter_days where unpriced)::int as unpriced,
  (select count(*) from usage_rejections where last_at > now() - interval '1 day')::int as refused`

const alertsSql = 'select count(*)::int as open from staff_alerts where resolved_at is null'

function usageGauge(pool: Pool, register: Registry): void {
  const usage = new Gauge({
    name: 'portico_usage_problems',
    help: 'Usage sums without a price, and usage events rejected within a day.',
    labelNames: ['problem'],
    registers: [register],
    async collect() {
      // The metric is missing without a database.
      const [row] = await pool.run({ sql: usageSql, values: [] }).catch(() => [])
      usage.reset()
      for (const [problem, count] of Object.entries(row ?? {})) usage.set({ problem }, Number(count))
    },
  })
}

function alertGauge(pool: Pool, register: Registry): void {
  const alerts = new Gauge({
    name: 'portico_staff_alerts',
    help: 'Open staff alerts.',
    registers: [register],
    async collect() {
      // The metric is missing without a database.
      const [row] = await pool.run({ sql: alertsSql, values: [] }).catch(() => [])
      if (row) alerts.set(Number(row.open))
    },
  })
}

// Without any rate the age is infinite, so that one alert rule is enough.
const ratesSql = `select base, greatest(coalesce(extract(epoch from clock_now() - newest), 'infinity'), 0)::float8 as age from fx_needs`

function rateGauge(pool: Pool, register: Registry): void {
  const rates = new Gauge({
    name: 'portico_exchange_rate_age_seconds',
    help: 'The age of the newest exchange rate of a currency, from the start of its day.',
    labelNames: ['currency'],
    registers: [register],
    async collect() {
      // The metric is missing without a database.
      const rows = await pool.run({ sql: ratesSql, values: [] }).catch(() => [])
      rates.reset()
      for (const { base, age } of rows) rates.set({ currency: String(base) }, Number(age))
    },
  })
}

/** Creates the metrics of one application. */
export function createMetrics(pool: Pool): Metrics {
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
  poolGauges(pool, register)
  letterGauge(pool, register)
  engineGauges(pool, register)
  usageGauge(pool, register)
  alertGauge(pool, register)
  rateGauge(pool, register)
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
    text: () => merged.metrics(),
    contentType: merged.contentType,
  }
}
