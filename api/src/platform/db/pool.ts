import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'
import { type Connection, pgConfig } from './connection.ts'
import { Lease } from './lease.ts'
import { codeOf } from './sql-states.ts'
import type { DB } from './types.ts'

export type Database = Kysely<DB>

/** A statement ready to be sent: its text, and the values of its parameters in order. */
export type Statement = { readonly sql: string; readonly values: readonly unknown[] }

/** Rows by column name; what a column holds depends on the statement. */
export type Row = Record<string, unknown>

/** A row of a table or view that a type is served from: all of them have an `id`. */
export type ServedRow = Row & { readonly id: number | string }

/** Anything that runs a statement: the pool, or the connection of a transaction. */
export type Runner = { run<R extends Row = Row>(statement: Statement): Promise<R[]> }

// PostgreSQL sends text. Ids fit a double; moments become the ISO form of the wire at once, without a Date in between;
// numeric stays text, because money is never a float.
const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.TIMESTAMPTZ]: (text) => `${text.slice(0, 10)}T${text.slice(11, text.indexOf('+'))}Z`,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.INTERVAL]: (text) => text,
}
const types: pg.CustomTypesConfig = {
  // The overloads of pg's own getTypeParser do not admit a plain wrapper.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) ||
    pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

// A value that does not fit, or that a rule refuses: the statement is over, and the connection is as good as before.
const isOfData = (error: unknown): boolean => /^2[23]/.test(codeOf(error))

/** Told of each statement that is sent; tests count with it. */
export type Observer = (sql: string) => void

/** The pool of one process, and kysely over it. `close` waits for what is running. */
export class Pool implements Runner {
  readonly kysely: Database
  readonly #pool: pg.Pool
  readonly #observers = new Set<Observer>()

  constructor(connection: Connection, size: number, onIdleError: (error: Error) => void) {
    const config = pgConfig(connection)
    this.#pool = new pg.Pool({
      ...config,
      // Statements here are few, named, and led by an account or by ids, so their plan does not depend on the values;
      // without this PostgreSQL plans the list anew at each call, which costs more than running it.
      options: `${config.options} -c plan_cache_mode=force_generic_plan`,
      max: size,
      types,
      // A request waits this long for a connection before it is answered 503; a dead database must not hang anyone.
      connectionTimeoutMillis: 1500,
      // Shorter than the server waits before it lets go of a silent connection, so that the failure is still answered.
      statement_timeout: 5000,
    })
    // A connection that is being closed may still be told that its server goes too.
    this.#pool.on('error', (error) => this.#pool.ending || onIdleError(error))
    // A connection that is lost between two statements of a transaction tells so at the next one; Node would end the process
    // because nobody listens meanwhile.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
    this.kysely = new Kysely<DB>({ dialect: this.#dialect() })
  }

  /** Runs one statement outside any transaction. */
  async run<R extends Row = Row>({ sql, values }: Statement): Promise<R[]> {
    for (const tell of this.#observers) tell(sql)
    const lease = new Lease(this.#pool)
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

  /** Connections there are, those of them that nobody uses, and callers that wait for one. */
  get counts(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool
    return { total, idle, waiting }
  }

  async close(): Promise<void> {
    // Kysely only ends a pool that it has used.
    await this.kysely.destroy()
    if (!this.#pool.ended) await this.#pool.end()
  }

  #dialect() {
    const pool = this.#pool
    const tell = (sql: string) => {
      for (const observer of this.#observers) observer(sql)
    }
    return new PostgresDialect({
      pool: {
        end: () => pool.end(),
        connect: async () => {
          const lease = new Lease(pool)
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

/** Statements on the connection of a kysely transaction, in the same form as on the pool. */
export function runnerOf(tx: Database): Runner {
  return {
    run: async <R extends Row>({ sql, values }: Statement) =>
      (await tx.executeQuery<R>(CompiledQuery.raw(sql, [...values]))).rows,
  }
}

/** Builds queries without a connection; the engine compiles with it once and runs the result many times. */
export const builder = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
