import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Env } from '#config/env.ts'
import { isThisMachine } from '#config/env-values.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import type { Database } from '#platform/db/pool.ts'

// The setting `acts_as` names the one installation that acts on this database: its address, its server, its
// database there, and when it last lived. A restored or copied database is opened by another one, which must not act.

/** In hours. Longer than a restart or an upgrade, and shorter than the age of most backups. */
const longestSilence = 6

type Row = {
  readonly publicUrl: string | null
  /** The server and the database; an installation from before that was noted adopts its database. */
  readonly isSame: boolean
  readonly aliveAt: string | null
  readonly isAlive: boolean
  /** Where an installation with the embedded database was stopped, when that was its last sign of life. */
  readonly stoppedIn: string | null
}

const server = '(select system_identifier::text from pg_control_system())'

/** A copy within a server is another database: its name may be the same, and its number is not. */
const database = '(select oid::text from pg_database where datname = current_database())'

/** Trials on one machine differ by their port alone. */
function addressOf({ publicUrl }: Pick<Env, 'publicUrl'>): string {
  return isThisMachine(new URL(publicUrl).hostname) ? 'this machine' : publicUrl
}

const reading = `select value ->> 'publicUrl' as "publicUrl", value ->> 'aliveAt' as "aliveAt",
    value ->> 'server' is not distinct from ${server}
      and coalesce(value ->> 'database', ${database}) = ${database} as "isSame",
    coalesce((value ->> 'aliveAt')::timestamptz > now() - interval '${longestSilence} hours', false) as "isAlive",
    case when (value ->> 'stoppedAt')::timestamptz >= (value ->> 'aliveAt')::timestamptz
      then value ->> 'stoppedIn' end as "stoppedIn"
  from settings where key = 'acts_as'`

async function rowOf(client: pg.Client): Promise<Row | undefined> {
  return (await client.query<Row>(reading)).rows[0]
}

/**
 * The embedded database's folder as its file system knows it: a copy of the folder is another one. Undefined
 * for an external database.
 */
function homeOf(
  { databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>,
  cluster = path.join(dataDir, 'database', 'postgres'),
): string | undefined {
  if (databaseUrl !== undefined) return undefined
  const found = fs.statSync(cluster, { throwIfNoEntry: false })
  return found && `${found.ino}`
}

function difference(env: Acting, row: Row): string | undefined {
  if (!row.isSame) return 'its database was restored or copied'
  if (row.publicUrl !== addressOf(env))
    return `its database acts as ${row.publicUrl}, and PUBLIC_URL is ${env.publicUrl}`
  // Nothing can have happened elsewhere since it was stopped here.
  if (row.stoppedIn !== null && row.stoppedIn === homeOf(env)) return undefined
  if (!row.isAlive) return `it was last alive at ${row.aliveAt}, more than ${longestSilence} hours ago`
  return undefined
}

export type Acting = Pick<Env, 'act' | 'publicUrl' | 'seed' | 'databaseUrl' | 'dataDir'>

/**
 * The reason why this installation is a copy, which must not act; undefined when it acts. A demo always acts,
 * because it reaches nobody.
 */
export async function copyOf(env: Acting, connection: Connection): Promise<string | undefined> {
  if (!env.act) return 'ACT is 0'
  if (env.seed === 'demo') return undefined
  const found = await withClient(connection, rowOf)
  return found && difference(env, found)
}

/**
 * Whether this start is that of a copy, which the operator is told. Otherwise the database is marked as this
 * installation's.
 */
export async function startsAsCopy(
  env: Acting,
  connection: Connection,
  say: (text: string) => void,
): Promise<boolean> {
  const reason = await copyOf(env, connection)
  if (reason !== undefined)
    say(
      `This portal is a copy, because ${reason}. People sign in and read, and it does nothing by itself; npm run takeover makes it act.`,
    )
  else if (env.seed !== 'demo') await withClient(connection, (client) => markActing(client, env))
  return reason !== undefined
}

/** Marks the database as this installation's, which acts from its next start on. */
export async function markActing(client: pg.Client, env: Pick<Env, 'publicUrl'>): Promise<void> {
  await client.query(
    `insert into settings (key, value)
      values ('acts_as', jsonb_build_object(
        'publicUrl', $1::text, 'server', ${server}, 'database', ${database}, 'aliveAt', now()))
      on conflict (key) do update set value = excluded.value`,
    [addressOf(env)],
  )
}

/** Marks a restored database as a copy; when its installation was last alive stays known. */
export async function markCopy(client: pg.Client): Promise<void> {
  await client.query(
    `insert into settings as s (key, value) values ('acts_as', '{"server": null}')
      on conflict (key) do update set value = s.value || excluded.value`,
  )
}

/** The sign of life of the installation that acts, about once a minute, however many processes give it. */
export async function markAlive(db: Database): Promise<void> {
  await sql`update settings set value = value || jsonb_build_object('aliveAt', now())
    where key = 'acts_as'
      and coalesce((value ->> 'aliveAt')::timestamptz < now() - interval '50 seconds', true)`.execute(db)
}

const signEveryMs = 20_000

/** Signs life until the returned function has ended. Every process that acts does, because each may be the only one left. */
export function signLife(db: Database, failed: (error: unknown) => void): () => Promise<void> {
  let signed = Promise.resolve()
  const sign = () => {
    signed = markAlive(db).catch(failed)
  }
  const timer = setInterval(sign, signEveryMs)
  return async () => {
    clearInterval(timer)
    // It may not follow the note of an orderly stop.
    await signed
  }
}

/**
 * Notes that the installation was stopped in an orderly way, so that it may stand still for as long as it likes. An embedded
 * database that is not in its place yet is named by `cluster`.
 */
export async function markStopped(db: Database, env: Acting, cluster?: string): Promise<void> {
  const home = homeOf(env, cluster)
  if (home === undefined) return
  await sql`update settings
    set value = value || jsonb_build_object('stoppedAt', now(), 'stoppedIn', ${home}::text)
    where key = 'acts_as'`.execute(db)
}

/** When the installation that acts was last alive; undefined when unknown. */
export async function lastAlive(client: pg.Client): Promise<Date | undefined> {
  const row = await rowOf(client)
  return row?.aliveAt == null ? undefined : new Date(row.aliveAt)
}
