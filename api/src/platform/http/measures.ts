import { randomUUID } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Reads } from '#platform/db/hosts/reads.ts'
import type { Pool } from '#platform/db/pool.ts'
import { isSqlState } from '#platform/db/sql-states.ts'

/** The database that is measured. */
export type Measured = { readonly pool: Pool; readonly reads: Reads }

/** A metric that is read from the database. */
export type Measure = {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Returns rows with a column for each label, and `value`. */
  readonly sql: RawBuilder<Readonly<Record<string, unknown>>>
}

// Longer than the time between two scrapes, so that the same replica keeps the measures.
const leaseSeconds = 90
// Two scrapes.
const mostLagSeconds = 30

// Waits for no other replica, and fails in a database that takes no writes.
const claimSql = `insert into settings as s (key, value)
  values ('measured_by', jsonb_build_object('replica', $1::text, 'until', now() + make_interval(secs => ${leaseSeconds})))
  on conflict (key) do update set value = excluded.value
    where s.value->>'replica' = $1::text or (s.value->>'until')::timestamptz < now()
  returning true as mine`

function gaugeOf({ name, help, labels }: Measure, register: Registry) {
  const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [register] })
  const clear = () => {
    gauge.reset()
    // A metric without labels is 0 after a reset, which would be taken for a measurement.
    if (labels.length === 0) gauge.remove()
  }
  clear()
  return { gauge, clear }
}

/**
 * Registers `portico_writable` and the measures. The returned function reads them; call it before each scrape. Of all
 * replicas on a database one reads them, because they are the same for all: the first that is scraped, until it is not
 * scraped any more. A measure that cannot be read is missing.
 */
export function measuring(
  { pool, reads }: Measured,
  register: Registry,
  measures: readonly Measure[],
): () => Promise<void> {
  const replica = randomUUID()
  const writable = new Gauge({
    name: 'portico_writable',
    help: 'Whether the database took a write at this scrape: 1 or 0.',
    registers: [register],
  })
  const gauges = measures.map((measure) => ({ measure, ...gaugeOf(measure, register) }))
  const claim = async (): Promise<boolean> => {
    const rows = await pool.run({ sql: claimSql, values: [replica] }).catch(() => undefined)
    writable.set(rows === undefined ? 0 : 1)
    return rows?.[0]?.mine === true
  }
  const readOne = (from: Pool, measure: Measure) => {
    const { sql, parameters } = measure.sql.compile(from.kysely)
    return from.run({ sql, values: parameters }).catch((error: unknown) => {
      // The primary measures what a replica has ended; one that took too long there would take too long here.
      if (from !== pool && !isSqlState(error, 'queryCanceled')) throw error
      return []
    })
  }
  const readAll = async (from: Pool, isMine: boolean) => {
    for (const { measure, gauge, clear } of gauges) {
      const rows = isMine ? await readOne(from, measure) : []
      clear()
      for (const { value, ...labels } of rows)
        gauge.set(
          Object.fromEntries(measure.labels.map((label) => [label, String(labels[label])])),
          Number(value),
        )
    }
  }
  return async () => {
    const isMine = await claim()
    if (isMine) await reads.use((from) => readAll(from, true), mostLagSeconds)
    else await readAll(pool, false)
  }
}
