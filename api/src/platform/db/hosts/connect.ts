import pg from 'pg'
import { type Connection, pgConfig } from '#platform/db/connection.ts'
import { sqlStates } from '#platform/db/sql-states.ts'
import { explainCertificate } from './certificate.ts'
import type { Servers } from './servers.ts'

/** A server that connects but takes no writes: a standby, or one that was set read-only. */
class ReadOnlyServer extends Error {
  // Not the code of a refused write: that one makes a transaction run again, which would not help here.
  readonly code = sqlStates.cannotConnectNow

  constructor(url: string) {
    super(`${decodeURIComponent(new URL(url).host)} is a standby, or read-only`)
  }
}

const isReadOnly =
  "select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as yes"

/** A class of clients that connect to the server that accepts writes; each client tries one server. */
function clientsOf(servers: Servers): typeof pg.Client {
  return class extends pg.Client {
    readonly #url: string

    constructor(config: pg.ClientConfig = {}) {
      const { url } = servers
      super({ ...config, connectionString: url })
      this.#url = url
      // A server may go away while it is asked, before the pool listens.
      this.on('error', () => undefined)
    }

    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connecting = this.#connect()
      if (callback === undefined) return connecting
      // pg calls back without an argument after a success, which its types leave out.
      const succeed = callback as () => void
      connecting.then(() => succeed(), callback)
      return undefined
    }

    async #connect(): Promise<this> {
      try {
        await super.connect()
        const { rows } = await this.query<{ yes: boolean }>(isReadOnly)
        if (rows[0]?.yes === false) return this
        throw new ReadOnlyServer(this.#url)
      } catch (error) {
        servers.failed(this.#url)
        void this.end().catch(() => undefined)
        throw error
      }
    }
  }
}

/** A pool that tries each server once, within its time limit, before a caller gets an error. */
class ServersPool extends pg.Pool {
  readonly #servers: Servers

  constructor(servers: Servers, config: pg.PoolConfig) {
    super({ ...config, Client: clientsOf(servers) })
    this.#servers = servers
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect()
    if (callback === undefined) return connecting
    connecting.then(
      (client) => callback(undefined, client, (failed) => client.release(failed)),
      (error: Error) => callback(error, undefined, () => undefined),
    )
    return undefined
  }

  async #connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + (this.options.connectionTimeoutMillis ?? 0)
    for (let left = this.#servers.urls.length; ; left--) {
      const { url } = this.#servers
      try {
        return await super.connect()
      } catch (error) {
        // Waiting in vain for a connection in use says nothing about the server.
        const moved = url !== this.#servers.url
        if (left === 1 || !moved || performance.now() > deadline) throw error
      }
    }
  }
}

/** A pool of connections. */
export function makePool(connection: Connection, config: pg.PoolConfig): pg.Pool {
  const whole = { ...pgConfig(connection), ...config }
  return connection.servers ? new ServersPool(connection.servers, whole) : new pg.Pool(whole)
}

/**
 * A connected client, within a time limit for all servers. Throws one error, or for several servers one that has
 * an error for each.
 */
export async function connectClient(connection: Connection, limitMs: number): Promise<pg.Client> {
  const { servers } = connection
  const share = Math.ceil(limitMs / (servers?.urls.length ?? 1))
  const Client = servers ? clientsOf(servers) : pg.Client
  const errors: unknown[] = []
  for (let left = servers?.urls.length ?? 1; left > 0; left--) {
    const client = new Client({ ...pgConfig(connection), connectionTimeoutMillis: share })
    // Ignores the event for a connection lost between two statements: the next statement fails and reports it.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      errors.push(explainCertificate(error))
    }
  }
  throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'No server of the database can be used.')
}
