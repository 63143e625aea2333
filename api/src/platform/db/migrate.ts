import { setTimeout as sleep } from 'node:timers/promises'
import { migrationReason } from '@portico/contract/resources/staff-actions.ts'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { type Queryable, withClient } from './client.ts'
import type { Connection } from './connection.ts'
import { applyFunctions } from './functions.ts'
import { concurrentIndexOf, createConcurrently } from './schema/concurrent-index.ts'
import {
  type Migration,
  type MigrationKind,
  MigrationRefused,
  ownFolder,
  readMigrations,
} from './schema/migration-files.ts'
import { isSqlState } from './sql-states.ts'
import { isReadOnly } from './stale-connection.ts'

/**
 * Longer than a statement of a request holds a table, and short enough for the requests that queue behind the
 * migration.
 */
const lockTimeout = '500ms'
const shortestPauseMs = 1000
const longestPauseMs = 10_000

type Applied = { readonly checksum: string; readonly kind: MigrationKind }

/** Creates the table of applied migrations; databases of earlier versions lack the kind. */
async function prepareHistory(client: Queryable): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  await client.query(`do $$ begin
    if not exists (select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'kind') then
      alter table schema_migrations
        add column kind text not null default 'contract' check (kind in ('expand', 'contract'));
    end if;
  end $$`)
}

async function applied(client: Queryable): Promise<Map<string, Applied>> {
  const { rows } = await client.query('select name, checksum, kind from schema_migrations order by name')
  // The three columns are not null in the table that this file creates, and a check limits the kinds.
  return new Map((rows as (Applied & { name: string })[]).map(({ name, ...one }) => [name, one]))
}

/**
 * Refuses a database with a changed migration, or with one of a newer version that this one does not run on.
 * Returns the names of newer migrations that only add.
 */
function checkHistory(done: Map<string, Applied>, known: readonly Migration[]): string[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  const newer: string[] = []
  for (const [name, { checksum, kind }] of done) {
    const migration = byName.get(name)
    if (migration === undefined && kind === 'contract') {
      throw new MigrationRefused(
        `The database has migration ${name}, which this version of Portico does not know and cannot run on: it was used with a newer version. Start that version or a later one.`,
      )
    }
    if (migration === undefined) newer.push(name)
    else if (migration.checksum !== checksum) {
      throw new MigrationRefused(
        `Migration ${name} was changed after it had been applied to this database. Restore the file and put the change into a new migration.`,
      )
    }
  }
  return newer
}

function explain(error: unknown, { name, sql }: Migration): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const line =
    error.position === undefined ? '' : ` line ${sql.slice(0, Number(error.position)).split('\n').length}`
  const more = [error.detail, error.hint, error.where].filter(Boolean).join(' ')
  return new MigrationRefused(`Migration ${name}.sql${line} failed: ${error.message}. ${more}`.trim(), {
    cause: error,
  })
}

/** Whether a lock was not granted within `lockTimeout`. */
const isLocked = (error: unknown): error is MigrationRefused =>
  error instanceof MigrationRefused && isSqlState(error.cause, 'lockNotAvailable')

/** The delay before the next attempt; undefined when there must be none. */
function obstacleOf(error: unknown): string | undefined {
  // The lock of migrations itself: another process applies them, within limits of its own.
  if (isSqlState(error, 'lockNotAvailable')) return 'Another process migrates the database; waiting for it.'
  return isLocked(error) ? `${error.message} Retrying for ten minutes.` : undefined
}

type Schema = {
  readonly connection: Connection
  readonly migrations: readonly Migration[]
  /** Whether the folder of functions belongs to these migrations. */
  readonly functions: boolean
  /** The last migration to apply; undefined for all. */
  readonly upTo: string | undefined
}

/**
 * Begins the transaction that holds the lock, which therefore also works behind a pooler that shares sessions.
 * A wait for the lock is short, because an index that is created concurrently waits for every statement.
 */
async function beginLocked(client: Queryable): Promise<void> {
  await client.query('begin')
  await client.query('set local statement_timeout = 0')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  await client.query(`set local lock_timeout = '${lockTimeout}'`)
  await client.query(`select pg_advisory_xact_lock(${advisoryLocks.migrations})`)
}

/** Applies a migration in the transaction of the client, or an index beside it, and records it. */
async function applyOne(client: Queryable, connection: Connection, next: Migration): Promise<void> {
  // The name of a migration has no quotes.
  await client.query(`set local portico.because = '${migrationReason}${next.name}'`)
  const index = concurrentIndexOf(next.sql)
  const applying =
    index === undefined ? client.query(next.sql) : createConcurrently(connection, next.sql, index)
  await applying.catch((error: unknown) => Promise.reject(explain(error, next)))
  await client.query(
    `insert into schema_migrations (name, checksum, kind) values ('${next.name}', '${next.checksum}', '${next.kind}')`,
  )
}

/**
 * Applies the next missing migration, in a transaction that holds the lock; undefined when none is missing
 * and the functions are up to date.
 */
async function applyNext(
  client: Queryable,
  { connection, migrations: known, functions, upTo }: Schema,
): Promise<string | undefined> {
  try {
    await beginLocked(client)
    await prepareHistory(client)
    const done = await applied(client)
    checkHistory(done, known)
    const next = known.find(({ name }) => !done.has(name) && (upTo === undefined || name <= upTo))
    if (next) await applyOne(client, connection, next)
    const newest = known.at(-1)
    // Functions are those of the newest schema, so an older one does without.
    const isNewest = upTo === undefined || upTo === newest?.name
    if (!next && newest && functions && isNewest) await applyFunctions(client, newest.name)
    await client.query('commit')
    return next?.name
  } catch (error) {
    // A lost connection is already rolled back, and its loss already reported.
    await client.query('rollback').catch(() => undefined)
    if (!isReadOnly(error)) throw error
    throw new MigrationRefused(
      'The database does not accept writes: it is a standby, or read-only. Point DATABASE_URL to the primary.',
      { cause: error },
    )
  }
}

type Patience = {
  /** Receives messages for the person at the terminal. */
  readonly say?: (text: string) => void
  readonly signal?: AbortSignal | undefined
  /** The time limit for retrying a migration while its table is locked, in milliseconds; ten minutes. */
  readonly lockedMs?: number
}

/**
 * Retries `applyNext` while the table of a migration is locked. A waiting `alter table` blocks every later
 * query, so it waits only briefly and lets requests pass between two attempts.
 */
async function applyNextPatiently(
  client: Queryable,
  schema: Schema,
  { say = () => undefined, signal, lockedMs = 600_000 }: Patience,
): Promise<string | undefined> {
  const until = performance.now() + lockedMs
  for (let pause = shortestPauseMs, announced = false; ; announced = true) {
    try {
      return await applyNext(client, schema)
    } catch (error) {
      const obstacle = obstacleOf(error)
      const isOver = isLocked(error) && performance.now() > until
      if (obstacle === undefined || isOver) throw error
      if (!announced) say(obstacle)
      await sleep(pause, undefined, { signal })
      if (isLocked(error)) pause = Math.min(1.5 * pause, longestPauseMs)
    }
  }
}

/**
 * Migrates the database to the newest schema, or only to the migration `upTo`, and returns the applied names.
 * Each file is one transaction, except for an index that is created concurrently. Concurrent replicas are serialized, and each migration runs once.
 */
export async function migrate(
  connection: Connection,
  {
    folder = ownFolder,
    upTo,
    ...patience
  }: Patience & { readonly folder?: string; readonly upTo?: string | undefined } = {},
): Promise<string[]> {
  const schema = { connection, migrations: readMigrations(folder), functions: folder === ownFolder, upTo }
  return withClient(connection, async (client) => {
    // Suppresses the notice that the table already exists.
    await client.query('set client_min_messages = warning')
    const names: string[] = []
    const next = () => applyNextPatiently(client, schema, patience)
    for (let name = await next(); name; name = await next()) names.push(name)
    const newer = checkHistory(await applied(client), schema.migrations)
    if (newer.length > 0)
      patience.say?.(
        `The database was used with a newer version, which only added to it (${newer.join(', ')}); this version runs on it.`,
      )
    return names
  })
}

let ownNames: string[] | undefined

/** The names of the migrations that the database lacks. */
export async function pending(client: Queryable): Promise<string[]> {
  ownNames ??= readMigrations().map(({ name }) => name)
  const { rows } = await client.query("select to_regclass('schema_migrations') is not null as there")
  // The line above returns one row with one boolean.
  const [{ there } = { there: false }] = rows as { there: boolean }[]
  if (!there) return ownNames
  const { rows: done } = await client.query('select name from schema_migrations')
  // The column is text and not null in the table that this file creates.
  const names = new Set((done as { name: string }[]).map(({ name }) => name))
  return ownNames.filter((name) => !names.has(name))
}
