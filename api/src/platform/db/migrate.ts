import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { CannotStart } from '#config/env.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { type Queryable, withClient } from './client.ts'
import type { Connection } from './connection.ts'
import { applyFunctions } from './functions.ts'
import { isSqlState } from './sql-states.ts'
import { isReadOnly } from './stale-connection.ts'

type Migration = { name: string; sql: string; checksum: string }

/** A migration that cannot be applied, reported to the operator without a stack. */
class MigrationRefused extends CannotStart {}

const ownFolder = path.join(import.meta.dirname, 'migrations')

/**
 * Longer than a statement of a request holds a table, and short enough for the requests that queue behind the
 * migration.
 */
const lockTimeout = '500ms'
const shortestPauseMs = 1000
const longestPauseMs = 10_000
/** The time limit for retrying a migration while its table is locked, in milliseconds. */
const patienceMs = 600_000

/** Reads the migration files in the order of application. */
export function readMigrations(folder = ownFolder): Migration[] {
  const names = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const seen = new Map<string, string>()
  return names.map((file) => {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1]
    if (number === undefined)
      throw new MigrationRefused(`Migration ${file} must be named like 0001-what-it-does.sql.`)
    const twin = seen.get(number)
    if (twin)
      throw new MigrationRefused(
        `Migrations ${twin} and ${file} have the same number: give the newer the next one.`,
      )
    seen.set(number, file)
    // A checkout with other line endings has the same checksums.
    const sql = fs.readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n')
    return {
      name: file.slice(0, -'.sql'.length),
      sql,
      checksum: createHash('sha256').update(sql).digest('hex'),
    }
  })
}

async function applied(client: Queryable): Promise<Map<string, string>> {
  const { rows } = await client.query('select name, checksum from schema_migrations order by name')
  // The two columns are text and not null in the table that this file creates.
  return new Map((rows as { name: string; checksum: string }[]).map(({ name, checksum }) => [name, checksum]))
}

function assertSameHistory(done: Map<string, string>, known: readonly Migration[]): void {
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  for (const [name, checksum] of done) {
    const migration = byName.get(name)
    if (!migration) {
      throw new MigrationRefused(
        `The database has migration ${name}, which this version of Portico does not know: it was used with a newer version. Start that version or a later one.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new MigrationRefused(
        `Migration ${name} was changed after it had been applied to this database. Restore the file and put the change into a new migration.`,
      )
    }
  }
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

type Schema = {
  readonly migrations: readonly Migration[]
  /** Whether the folder of functions belongs to these migrations. */
  readonly functions: boolean
}

/**
 * Applies the next missing migration, in a transaction that holds the lock; undefined when none is missing
 * and the functions are up to date.
 */
async function applyNext(
  client: Queryable,
  { migrations: known, functions }: Schema,
): Promise<string | undefined> {
  await client.query('begin')
  try {
    // The lock lives as long as the transaction, so that it also works behind a pooler that shares sessions.
    await client.query('set local statement_timeout = 0')
    await client.query(`select pg_advisory_xact_lock(${advisoryLocks.migrations})`)
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const done = await applied(client)
    assertSameHistory(done, known)
    const next = known.find(({ name }) => !done.has(name))
    if (next) {
      await client.query(`set local lock_timeout = '${lockTimeout}'`)
      await client.query(next.sql).catch((error: unknown) => Promise.reject(explain(error, next)))
      await client.query(
        `insert into schema_migrations (name, checksum) values ('${next.name}', '${next.checksum}')`,
      )
    }
    const newest = known.at(-1)
    if (!next && newest && functions) await applyFunctions(client, newest.name)
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
}

/**
 * Retries `applyNext` while the table of a migration is locked. A waiting `alter table` blocks every later
 * query, so it waits only briefly and lets requests pass between two attempts.
 */
async function applyNextPatiently(
  client: Queryable,
  schema: Schema,
  { say = () => undefined, signal }: Patience,
): Promise<string | undefined> {
  const until = performance.now() + patienceMs
  for (let pause = shortestPauseMs; ; pause = Math.min(1.5 * pause, longestPauseMs)) {
    try {
      return await applyNext(client, schema)
    } catch (error) {
      if (!isLocked(error) || performance.now() > until) throw error
      if (pause === shortestPauseMs) say(`${error.message} Retrying for ten minutes.`)
    }
    await sleep(pause, undefined, { signal })
  }
}

/**
 * Migrates the database to the newest schema and returns the applied names. Each file is one transaction.
 * Concurrent replicas are serialized, and each migration runs once.
 */
export async function migrate(
  connection: Connection,
  { folder = ownFolder, ...patience }: Patience & { readonly folder?: string } = {},
): Promise<string[]> {
  const schema = { migrations: readMigrations(folder), functions: folder === ownFolder }
  return withClient(connection, async (client) => {
    // Suppresses the notice that the table already exists.
    await client.query('set client_min_messages = warning')
    const names: string[] = []
    const next = () => applyNextPatiently(client, schema, patience)
    for (let name = await next(); name; name = await next()) names.push(name)
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
  const done = there ? await applied(client) : new Map<string, string>()
  return ownNames.filter((name) => !done.has(name))
}
