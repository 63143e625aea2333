import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  type KyselyConfig,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'
import { type Connection, pgConfig } from './connection.ts'
import { makePool } from './hosts/connect.ts'
import { RefusedWrites } from './hosts/refused-writes.ts'
import { Lease } from './lease.ts'
import { codeOf } from './sql-states.ts'
import type { DB } from './types.ts'

type Begun<T> = {
  setAccessMode(mode: 'read only' | 'read write'): T
  setIsolationLevel(level: 'repeatable read'): T
}

/** Work in one transaction, committed when it resolves and rolled back when it throws. */
interface Within extends Begun<Within> {
  execute<T>(work: (tx: Database) => Promise<T>): Promise<T>
}

/** A transaction that its holder ends. */
export type OpenTransaction = Database & {
  commit(): { execute(): Promise<void> }
  rollback(): { execute(): Promise<void> }
  readonly isCommitted: boolean
}

interface Opening extends Begun<Opening> {
  execute(): Promise<OpenTransaction>
}

type Differing = 'transaction' | 'startTransaction' | 'connection' | 'withPlugin'

/**
 * The builder of statements, of the pool or of one transaction. It is kysely's own, whose types for the two differ: to
 * find that one fits the other the compiler compares them member by member over all tables, for longer than it checks the rest.
 */
export interface Database extends Omit<Kysely<DB>, Differing> {
  transaction(): Within
  startTransaction(): Opening
  withPlugin(plugin: KyselyPlugin): Database
  connection(): { execute<T>(work: (one: Database) => Promise<T>): Promise<T> }
}

// The type above is kysely's with one type for both; comparing them would cost what it saves.
export const databaseOf = (config: KyselyConfig): Database => new Kysely<DB>(config) as unknown as Database

/** A statement to send: its text, and the values of its parameters in order. */
export type Statement = { readonly sql: string; readonly values: readonly unknown[] }

/** A row by column name; the value types depend on the statement. */
export type Row = Record<string, unknown>

/** A row of a table or view that serves a type: all of them have an `id`. */
export type ServedRow = Row & { readonly id: number | string }

/** Anything that runs a statement: the pool, or the connection of a transaction. */
export type Runner = { run<R extends Row = Row>(statement: Statement): Promise<R[]> }

// PostgreSQL sends text. Ids fit a double; timestamps become the ISO form of the wire without a Date in
// between; numeric stays text, because money is never a float.
const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.TIMESTAMPTZ]: (text) => `${text.slice(0, 10)}T${text.slice(11, text.indexOf('+'))}Z`,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.INTERVAL]: (text) => text,
}
const types: pg.CustomTypesConfig = {
  // The overloads of pg's own getTypeParser do not accept a plain wrapper.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) ||
    pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

// Data errors and constraint violations: the statement failed, and the connection stays usable.
const isOfData = (error: unknown): boolean => /^2[23]/.test(codeOf(error))

/** The settings of a session for requests; behind a pooler the role has them. */
const sessionSettings = (connection: Connection): pg.PoolConfig => ({
  // Statements are few, named, and led by an account or by ids, so their plan does not depend on the
  // values; without this PostgreSQL replans a list on each call, which costs more than running it.
  options: `${pgConfig(connection).options} -c plan_cache_mode=force_generic_plan`,
  // Shorter than the server's timeout for silent connections, so that the failure is still answered.
  statement_timeout: 5000,
})

/** Called with each statement that is sent; tests count queries with it. */
export type Observer = (sql: string) => void

/** The connection pool of one process, with kysely on top. `close` waits for running statements. */
export class Pool implements Runner {
  readonly kysely: Database
  readonly refusedWrites = new RefusedWrites()
  readonly #pool: pg.Pool
  readonly #pooled: boolean
  readonly #observers = new Set<Observer>()

  constructor(connection: Connection, size: number, onIdleError: (error: Error) => void) {
    this.#pooled = connection.pooled === true
    this.#pool = makePool(connection, {
      ...(this.#pooled ? {} : sessionSettings(connection)),
      max: size,
      types,
      // The time a request waits for a connection before it is answered 503, so that a dead database hangs no
      // request.
      connectionTimeoutMillis: 1500,
    })
    // A closing connection may still report that its server is going away.
    this.#pool.on('error', (error) => this.#pool.ending || onIdleError(error))
    // A connection lost between two statements of a transaction fails the next one; without a listener Node
    // would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
    this.kysely = databaseOf({ dialect: this.#dialect() })
  }

  /** Runs one statement outside any transaction. */
  async run<R extends Row = Row>({ sql, values }: Statement): Promise<R[]> {
    for (const tell of this.#observers) tell(sql)
    const lease = this.#lease()
    let failed = false
    try {
      return (await lease.query(sql, values)).rows
    } catch (error) {
      failed = !isOfData(error)
      throw error
    } finally {
      lease.release(failed)
    }
  }

  observe(observer: Observer): () => void {
    this.#observers.add(observer)
    return () => this.#observers.delete(observer)
  }

  /** The number of connections, of idle ones, and of callers waiting for one. */
  get counts(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool
    return { total, idle, waiting }
  }

  async close(): Promise<void> {
    // Kysely only closes a pool that it has used.
    await this.kysely.destroy()
    if (!this.#pool.ended) await this.#pool.end()
  }

  #lease(): Lease {
    // A name is known to one session only, and a pooler hands the next transaction to another.
    return new Lease(this.#pool, this.#pooled ? 'unnamed' : 'named', (error) =>
      this.refusedWrites.note(error),
    )
  }

  #dialect() {
    const tell = (sql: string) => {
      for (const observer of this.#observers) observer(sql)
    }
    return new PostgresDialect({
      pool: {
        end: () => this.#pool.end(),
        connect: async () => {
          const lease = this.#lease()
          return {
            query: (sql: string, values: readonly unknown[]) => {
              tell(sql)
              return lease.query(sql, values)
            },
            release: (failed?: boolean) => lease.release(failed),
          } as never // kysely's own type also admits cursors, which are not used here.
        },
      } as never,
    })
  }
}

/** Runs statements on the connection of a kysely transaction, with the pool's interface. */
export function runnerOf(tx: Database): Runner {
  return {
    run: async <R extends Row>({ sql, values }: Statement) =>
      (await tx.executeQuery<R>(CompiledQuery.raw(sql, [...values]))).rows,
  }
}

/** Builds queries without a connection; the engine compiles them once and runs the result many times. */
export const builder = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
