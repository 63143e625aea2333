import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { CannotStart } from '#config/env.ts'
import { withClient } from './client.ts'
import { type Connection, connectionFromUrl } from './connection.ts'
import { codeOf, sqlStates } from './sql-states.ts'

const oldest = 15

/**
 * The time limit for a database to come up, in milliseconds; in a compose file or a cluster it starts
 * together with the portal.
 */
const patience = 30_000

/** Errors that may pass: not listening yet, unresolved name, starting up, shutting down, or not a primary yet. */
const passing: readonly string[] = [
  sqlStates.cannotConnectNow,
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]

async function majorVersion(connection: Connection): Promise<number> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ number: number }>(
      "select current_setting('server_version_num')::int / 10000 as number",
    )
    return rows[0]?.number ?? 0
  })
}

function canPass(error: unknown): boolean {
  // Several servers fail with one error each; so do several addresses of a name.
  if (error instanceof AggregateError) return error.errors.some(canPass)
  return passing.includes(codeOf(error))
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** A database to reach, and the variable that names it. */
type Target = { readonly connection: Connection; readonly variable: string }

/**
 * Undefined when the database is usable, else the transient reason; throws for a database that never will be.
 */
async function obstacle({ connection, variable }: Target): Promise<string | undefined> {
  const version = await majorVersion(connection).catch((error: unknown) => {
    if (canPass(error)) return reasonOf(error)
    throw new CannotStart(`The database of ${variable} cannot be used: ${reasonOf(error)}.`, {
      cause: error,
    })
  })
  if (typeof version === 'string') return version
  if (version >= oldest) return undefined
  throw new CannotStart(
    `The PostgreSQL of ${variable} is version ${version}; Portico needs ${oldest} or newer.`,
  )
}

async function reach(target: Target, say: (text: string) => void, signal: AbortSignal): Promise<Connection> {
  const deadline = performance.now() + patience
  for (let announced = false; ; announced = true) {
    signal.throwIfAborted()
    const reason = await obstacle(target)
    if (reason === undefined) return target.connection
    if (performance.now() > deadline) {
      throw new CannotStart(`The database of ${target.variable} is not available: ${reason}.`)
    }
    if (!announced) say(`Waiting for the database of ${target.variable} (${reason}).`)
    await sleep(250, undefined, { signal }).catch(() => undefined)
  }
}

/** The addresses of an external database. */
export type ExternalDatabase = {
  readonly databaseUrl: string
  /** Set when `databaseUrl` is that of a pooler. */
  readonly databaseDirectUrl?: string | undefined
}

/**
 * Waits until the database answers, without a pooler in between. Throws when it is too old or rejects the
 * credentials.
 */
export function reachDatabase(
  { databaseUrl, databaseDirectUrl }: ExternalDatabase,
  say: (text: string) => void,
  signal = new AbortController().signal,
): Promise<Connection> {
  const target =
    databaseDirectUrl === undefined
      ? { connection: connectionFromUrl(databaseUrl), variable: 'DATABASE_URL' }
      : { connection: connectionFromUrl(databaseDirectUrl), variable: 'DATABASE_DIRECT_URL' }
  return reach(target, say, signal)
}

/** Settings that a session has from the start, and a pooler does not pass on. */
const sessionSettings = {
  timezone: 'UTC',
  statement_timeout: '5s',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
}

/** The connection to a pooler that hands each transaction to another session. */
export const poolerConnection = (url: string): Connection => ({ ...connectionFromUrl(url), pooled: true })

/** The statements that give the role the settings which its sessions behind a pooler lack. */
export async function missingSettings(connection: Connection): Promise<string[]> {
  const { role, database, ...found } = await withClient(connection, async (client) => {
    const names = Object.keys(sessionSettings)
    const { rows } = await client.query<Record<string, string>>(
      `select current_user as role, current_database() as database, ${names.map((name) => `current_setting('${name}') as ${name}`)}`,
    )
    return rows[0] ?? {}
  })
  const whose = `alter role ${pg.escapeIdentifier(role ?? '')} in database ${pg.escapeIdentifier(database ?? '')}`
  return Object.entries(sessionSettings)
    .filter(([name, value]) => found[name] !== value)
    .map(([name, value]) => `${whose} set ${name} = '${value}';`)
}

/**
 * Waits until the pooler of `DATABASE_URL` answers. Throws when the role lacks settings that the portal
 * otherwise sets for each session.
 */
export async function reachPooler(
  databaseUrl: string,
  say: (text: string) => void,
  signal = new AbortController().signal,
): Promise<Connection> {
  const connection = poolerConnection(databaseUrl)
  await reach({ connection, variable: 'DATABASE_URL' }, say, signal)
  const missing = await missingSettings(connection)
  if (missing.length === 0) return connection
  const lines = missing.map((line) => `\n  ${line}`).join('')
  throw new CannotStart(
    `A pooler passes no settings of a session on, so the role has to have them. Run these statements, then RECONNECT in the console of the pooler:${lines}`,
  )
}
