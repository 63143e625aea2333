import { setTimeout as sleep } from 'node:timers/promises'
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

/** Errors that may pass: not listening yet, unresolved name, starting up, shutting down or recovering. */
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
  // A name with several addresses fails with an AggregateError that carries the code of the first.
  return passing.includes(codeOf(error))
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/**
 * Undefined when the database is usable, else the transient reason; throws for a database that never will be.
 */
async function obstacle(connection: Connection): Promise<string | undefined> {
  const version = await majorVersion(connection).catch((error: unknown) => {
    if (canPass(error)) return reasonOf(error)
    throw new CannotStart(`The database of DATABASE_URL cannot be used: ${reasonOf(error)}.`, {
      cause: error,
    })
  })
  if (typeof version === 'string') return version
  if (version >= oldest) return undefined
  throw new CannotStart(
    `The PostgreSQL of DATABASE_URL is version ${version}; Portico needs ${oldest} or newer.`,
  )
}

/**
 * Waits until the database of `DATABASE_URL` answers. Throws when it is too old or rejects the credentials.
 */
export async function reachDatabase(
  url: string,
  say: (text: string) => void,
  signal = new AbortController().signal,
): Promise<Connection> {
  const connection = connectionFromUrl(url)
  const deadline = performance.now() + patience
  for (let announced = false; ; announced = true) {
    signal.throwIfAborted()
    const reason = await obstacle(connection)
    if (reason === undefined) return connection
    if (performance.now() > deadline) {
      throw new CannotStart(`The database of DATABASE_URL does not answer: ${reason}.`)
    }
    if (!announced) say(`Waiting for the database of DATABASE_URL (${reason}).`)
    await sleep(250, undefined, { signal }).catch(() => undefined)
  }
}
