import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { minuteMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { usageKey } from '#platform/files/places.ts'
import { inspectFile, storageFailed } from '#platform/files/stored-files.ts'
import { type EventRow, eventColumns } from './event-columns.ts'
import { writeParquet } from './parquet-file.ts'

/** The database and the storage of the usage archive. */
export type UsageArchiveParts = {
  readonly pool: Pool
  readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'read'>
  /** How long events stay in the database. */
  readonly usageKeptDays: number
}

const rowsAtOnce = 2000
// A day of a large fleet is read from disk once to count it.
const longestCountMs = minuteMs
const longestSortMs = 10 * minuteMs

type Day = {
  readonly day: string
  readonly name: string
  readonly state: 'attached' | 'leaving' | 'alone'
  /** The column that identifies an event; days from before migration 0290 have ids. */
  readonly key: 'event_id' | 'event_key'
}

const tables = {
  event_id: { table: 'usage_events', type: sql`text` },
  event_key: { table: 'keyed_usage_events', type: sql`uuid` },
} satisfies Record<Day['key'], object>

// The types of `pg` make whole numbers up to 2^53 exact. Microseconds and millionths are far below.
const micros = (column: string) => sql`(extract(epoch from ${sql.ref(`e.${column}`)}) * 1000000)::int8`
const values = {
  occurred_on: sql`e.occurred_on - date '1970-01-01'`,
  panel_engine_id: sql`e.panel_engine_id`,
  panel_id: sql`e.panel_id`,
  resource_ref: sql`e.resource_ref`,
  meter_id: sql`e.meter_id::int`,
  meter: sql`m.code`,
  period_start: micros('period_start'),
  period_end: micros('period_end'),
  quantity: sql`(e.quantity * 1000000)::int8`,
  received_at: micros('received_at'),
} satisfies Record<(typeof eventColumns)[number]['name'], unknown>
const names = eventColumns.map(({ name }) => name)
const selected = sql.join(names.map((name) => sql`${values[name]} as ${sql.ref(name)}`))

/** The key of a row in the order of an archive. */
type Place = {
  readonly panel: number
  readonly start: string
  readonly engine: number
  readonly event: string
}
type Found = Place & Record<(typeof names)[number], number | string>

/** The oldest day past its retention with events in the database. */
async function nextDay(db: Database, keptDays: number): Promise<Day | undefined> {
  const { rows } =
    await sql<Day>`select day, name, state, attname as key from usage_days_before(clock_today() - ${keptDays}::int)
    join pg_attribute on attrelid = to_regclass(name) and attname in ('event_id', 'event_key')
    order by day limit 1`.execute(db)
  return rows[0]
}

/**
 * Detaches a day's partition without blocking writers of other days. Completes an interrupted detach first.
 */
async function takeOut(db: Database, { name, state, key }: Day): Promise<void> {
  if (state === 'alone') return
  const how = sql.raw(state === 'leaving' ? 'finalize' : 'concurrently')
  await sql`alter table ${sql.table(tables[key].table)} detach partition ${sql.table(name)} ${how}`.execute(
    db,
  )
}

/** Sorts a day by panel and period, which compresses well and lets a reader skip what is of other panels. */
async function sortRows(db: Database, { name, key }: Day): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(longestSortMs)}`.execute(tx)
    await sql`create index if not exists ${sql.ref(`${name}_archive`)}
      on ${sql.table(name)} (panel_id, period_start, panel_engine_id, ${sql.ref(key)})`.execute(tx)
  })
}

/** The next rows after a place. The table is no longer written to. */
async function rowsAfter(db: Database, { name, key }: Day, last: Place | undefined): Promise<Found[]> {
  const event = sql.ref(`e.${key}`)
  const after = last
    ? sql`(e.panel_id, e.period_start, e.panel_engine_id, ${event})
        > (${last.panel}::int8, ${last.start}::timestamptz, ${last.engine}::int8, ${last.event}::${tables[key].type})`
    : sql`true`
  const { rows } = await sql<Found>`
    select ${selected}, e.panel_id as panel, e.period_start::text as start, e.panel_engine_id as engine, ${event} as event
    from ${sql.table(name)} e join meters m on m.id = e.meter_id where ${after}
    order by e.panel_id, e.period_start, e.panel_engine_id, ${event} limit ${rowsAtOnce}`.execute(db)
  return rows
}

/** The rows of a day, read in short steps: no transaction is open while the file is written. */
async function* rowsOf(db: Database, day: Day): AsyncGenerator<EventRow[]> {
  for (let last: Place | undefined; ; ) {
    const found = await rowsAfter(db, day, last)
    last = found.at(-1)
    if (!last) return
    yield found.map((row) => names.map((name) => row[name]))
  }
}

/**
 * Moves a day into the file storage. Idempotent and safe under concurrency, because every run writes the same
 * file under the same key; the rows are dropped only after the file was read back completely.
 */
async function archive({ pool: { kysely: db }, storage }: UsageArchiveParts, day: Day): Promise<void> {
  await takeOut(db, day)
  const file = path.join(storage.incoming, randomUUID())
  const key = usageKey(day.day)
  await sortRows(db, day)
  const { rows, sha256 } = await writeParquet(file, rowsOf(db, day), names.indexOf('quantity'))
    .then(async (written) => {
      await storage.keep(key, file)
      return written
    })
    .catch(storageFailed(db))
    .finally(() => fs.rm(file, { force: true }))
  const { state } = await inspectFile(storage, { key, sha256, what: `usage of ${day.day}` })
  if (state !== 'whole') throw new Error(`The archived file ${key} is ${state}.`)
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(longestCountMs)}`.execute(tx)
    await sql`select usage_archived(${day.day}, ${rows}, ${sha256}, ${key})`.execute(tx)
  })
}

/**
 * Moves the events of all days past their retention into the file storage; returns the number of days. A failed day stays
 * in the database for the next run.
 */
export async function archiveUsage(parts: UsageArchiveParts): Promise<number> {
  for (let days = 0; ; days++) {
    const day = await nextDay(parts.pool.kysely, parts.usageKeptDays)
    if (!day) return days
    await archive(parts, day)
  }
}
