import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { minuteMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { inspectFile, storageFailed } from '#platform/files/stored-files.ts'

/** The database and the storage of the usage archive. */
export type UsageArchiveParts = {
  readonly pool: Pool
  readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'read'>
}

const keptDays = 100
const rowsAtOnce = 5000
// A day of a large fleet is read from disk once to count it.
const longestCountMs = minuteMs

type Day = { readonly day: string; readonly name: string; readonly state: 'attached' | 'leaving' | 'alone' }
type Line = { readonly engine: number; readonly event: string; readonly line: string }

const headings =
  'occurred_on,panel_engine_id,event_id,panel_id,resource_ref,meter_id,period_start,period_end,quantity,received_at'

/** The oldest day past its retention with events in the database. */
async function nextDay(db: Database): Promise<Day | undefined> {
  const { rows } =
    await sql<Day>`select day, name, state from usage_days_before(clock_today() - ${keptDays}::int)
    limit 1`.execute(db)
  return rows[0]
}

/**
 * Detaches a day's partition without blocking writers of other days. Completes an interrupted detach first.
 */
async function takeOut(db: Database, { name, state }: Day): Promise<void> {
  if (state === 'alone') return
  const how = sql.raw(state === 'leaving' ? 'finalize' : 'concurrently')
  await sql`alter table usage_events detach partition ${sql.table(name)} ${how}`.execute(db)
}

const quoted = (column: string) => sql`'"' || replace(${sql.ref(column)}, '"', '""') || '"'`

/** The next rows after an event as CSV lines, in key order. The table is no longer written to. */
async function linesAfter(db: Database, { day, name }: Day, last: Line | undefined): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select panel_engine_id as engine, event_id as event, concat_ws(',', occurred_on, panel_engine_id, ${quoted('event_id')},
      panel_id, ${quoted('resource_ref')}, meter_id, period_start, period_end, quantity, received_at) as line
    from ${sql.table(name)}
    where occurred_on = ${day} and (panel_engine_id, event_id) > (${last?.engine ?? 0}::int8, ${last?.event ?? ''}::text)
    order by panel_engine_id, event_id limit ${rowsAtOnce}`.execute(db)
  return rows
}

/** A day as CSV, read in short steps: no transaction is open while the file is written. */
async function* csvOf(db: Database, day: Day, counted: (rows: number) => void): AsyncGenerator<string> {
  yield `${headings}\n`
  for (let last: Line | undefined; ; ) {
    const lines = await linesAfter(db, day, last)
    last = lines.at(-1)
    if (!last) return
    counted(lines.length)
    yield `${lines.map(({ line }) => line).join('\n')}\n`
  }
}

type Written = { readonly rows: number; readonly sha256: string }

/** Writes a day into a local file. */
async function write(db: Database, day: Day, file: string): Promise<Written> {
  const hash = createHash('sha256')
  let rows = 0
  const counted = (some: number) => {
    rows += some
  }
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  const to = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  await pipeline(csvOf(db, day, counted), createZstdCompress(), hashed, to)
  return { rows, sha256: hash.digest('hex') }
}

/**
 * Moves a day into the file storage. Idempotent and safe under concurrency, because every run writes the same
 * file under the same key; the rows are dropped only after the file was read back completely.
 */
async function archive({ pool: { kysely: db }, storage }: UsageArchiveParts, day: Day): Promise<void> {
  await takeOut(db, day)
  const file = path.join(storage.incoming, randomUUID())
  const key = `usage-events-${day.day}`
  const { rows, sha256 } = await write(db, day, file)
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
 * Moves the events of all days older than a hundred days into the file storage; returns the number of days. A
 * failed day stays in the database for the next run.
 */
export async function archiveUsage(parts: UsageArchiveParts): Promise<number> {
  for (let days = 0; ; days++) {
    const day = await nextDay(parts.pool.kysely)
    if (!day) return days
    await archive(parts, day)
  }
}
