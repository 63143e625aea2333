import type { ClientConfig } from 'pg'

/** The address of a PostgreSQL database: by parts (the embedded server) or by one URL (`DATABASE_URL`). */
export type Connection = {
  /** A host name, or the folder of a Unix socket. */
  host?: string
  port?: number
  user?: string
  password?: string
  database: string
  connectionString?: string
}

/** The connection that `DATABASE_URL` describes. */
export function connectionFromUrl(url: string): Connection {
  return { connectionString: url, database: decodeURIComponent(new URL(url).pathname.slice(1)) }
}

/** The same server with another database. */
export function withDatabase(connection: Connection, database: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${encodeURIComponent(database)}`
  return { ...connection, connectionString: url.href, database }
}

/** The settings of `pg` for a client or a pool. Sessions use UTC wherever the server is. */
export function pgConfig(connection: Connection): ClientConfig {
  const { connectionString, ...parts } = connection
  const address = connectionString === undefined ? parts : { connectionString }
  return { ...address, options: '-c timezone=UTC', application_name: 'portico', keepAlive: true }
}
