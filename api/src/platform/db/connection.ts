import type { ClientConfig } from 'pg'
import { parseDatabaseUrl } from '#config/database-url.ts'
import { Servers } from './hosts/servers.ts'

/** The address of a PostgreSQL database: by parts (the embedded server) or by one URL (`DATABASE_URL`). */
export type Connection = {
  /** A host name, or the folder of a Unix socket. */
  host?: string
  port?: number
  user?: string
  password?: string
  database: string
  connectionString?: string
  /** Instead of all that: servers of which the one that accepts writes is used. */
  servers?: Servers
  /** Whether a pooler hands each transaction to another session. */
  pooled?: boolean
  /** Why its sessions write, if not for requests: what they change of the operator's own is logged with it. */
  because?: string
}

/** The connection that `DATABASE_URL` describes. */
export function connectionFromUrl(url: string): Connection {
  const address = parseDatabaseUrl(url)
  if (address === undefined) throw new Error('The address of the database is invalid.')
  const { database, urls, primaryOnly } = address
  const [connectionString = ''] = urls
  return primaryOnly ? { database, servers: new Servers(urls) } : { database, connectionString }
}

/** The same server with another database. */
export function withDatabase(connection: Connection, database: string): Connection {
  const { connectionString, servers } = connection
  const replaced = (url: string) =>
    Object.assign(new URL(url), { pathname: `/${encodeURIComponent(database)}` }).href
  return {
    ...connection,
    ...(connectionString !== undefined && { connectionString: replaced(connectionString) }),
    ...(servers && { servers: new Servers(servers.urls.map(replaced)) }),
    database,
  }
}

/**
 * The settings of `pg` for a client or a pool. Sessions use UTC wherever the server is, and no limit that is
 * set for the role behind a pooler. A pooler takes no settings.
 */
export function pgConfig(connection: Connection): ClientConfig {
  const { connectionString, servers, pooled, because, ...parts } = connection
  const one = connectionString === undefined ? parts : { connectionString }
  // With several servers, each client has the address of one of them (`hosts/connect.ts`).
  const address = servers ? {} : one
  // In the options of a start a blank separates, unless a backslash is before it.
  const reason = because === undefined ? '' : ` -c portico.because=${because.replaceAll(/[ \\]/g, '\\$&')}`
  // Compiling a wide statement of a short list takes seconds, which no timeout interrupts (decision 0229).
  const settings = pooled ? {} : { options: `-c timezone=UTC -c statement_timeout=0 -c jit=off${reason}` }
  // Without the delay the operating system begins after two hours to ask whether the machine is still there.
  const lasting = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  return { ...address, ...settings, ...lasting, application_name: 'portico' }
}
