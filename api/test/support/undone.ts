import { CompiledQuery, PostgresDialect } from 'kysely'
import { type Database, databaseOf, type Pool, type Row, type Statement } from '#platform/db/pool.ts'

/** What the driver reads of a result. */
type Result = { readonly command: string; readonly rowCount: number; readonly rows: readonly unknown[] }

const checkNow = 'set constraints all immediate'
const checkLater = 'set constraints all deferred'
// What a transaction set for itself would otherwise outlive its savepoint.
const forgetStaff = `select set_config('portico.staff', '', true), set_config('portico.action', '', true),
  set_config('portico.because', '', true)`

/**
 * One open transaction in which requests do all they do: their own transactions are savepoints of it, and what is checked
 * when one of them commits is checked then.
 */
class OneTransaction {
  readonly kysely: Database
  readonly #outer: Database
  #last: Promise<unknown> = Promise.resolve()
  /** Resolves when the transaction that began last has ended. */
  #free: Promise<void> = Promise.resolve()
  #savepoints = 0

  constructor(outer: Database) {
    this.#outer = outer
    this.kysely = databaseOf({
      dialect: new PostgresDialect({
        // The driver asks for no more of a pool than these two.
        pool: { connect: async () => this.#connection(), end: async () => undefined } as never,
      }),
    })
  }

  async run<R extends Row = Row>({ sql, values }: Statement): Promise<R[]> {
    // As with the real pool, a row is what the statement selects.
    return (await this.#alone(sql, values)).rows as R[]
  }

  async #send(sql: string, values: readonly unknown[] = []): Promise<Result> {
    const { rows, numAffectedRows } = await this.#outer.executeQuery(CompiledQuery.raw(sql, [...values]))
    const command = numAffectedRows === undefined ? 'SELECT' : 'UPDATE'
    return { command, rowCount: Number(numAffectedRows ?? rows.length), rows }
  }

  /** One after another, because all share one connection. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }

  async #save(): Promise<string> {
    const name = `saved_${++this.#savepoints}`
    await this.#send(`savepoint ${name}`)
    return name
  }

  async #keep(name: string): Promise<void> {
    await this.#send(checkNow)
    await this.#send(checkLater)
    await this.#send(`release savepoint ${name}`)
    await this.#send(forgetStaff)
  }

  async #takeBack(name: string): Promise<void> {
    await this.#send(`rollback to savepoint ${name}`)
    await this.#send(`release savepoint ${name}`)
  }

  /** A statement outside of any transaction: when it fails, what was done before it stays. */
  #alone(sql: string, values: readonly unknown[]): Promise<Result> {
    return this.#inTurn(async () => {
      const name = await this.#save()
      try {
        const result = await this.#send(sql, values)
        await this.#keep(name)
        return result
      } catch (error) {
        await this.#takeBack(name)
        throw error
      }
    })
  }

  /** Begins a transaction when those before it have ended, for savepoints only nest; returns how it ends. */
  async #begin() {
    const before = this.#free
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#free = promise
    await before
    const name = await this.#inTurn(() => this.#save())
    const end = async (isKept: boolean) => {
      if (!isKept) return this.#takeBack(name)
      return this.#keep(name).catch(async (error: unknown) => {
        await this.#takeBack(name)
        throw error
      })
    }
    return (isKept: boolean) => this.#inTurn(() => end(isKept)).finally(resolve)
  }

  #connection() {
    let end: ((isKept: boolean) => Promise<void>) | undefined
    return {
      query: async (sql: string, values: readonly unknown[] = []): Promise<Result> => {
        const [word = ''] = /^\w+/.exec(sql) ?? []
        const isEnd = word === 'commit' || sql === 'rollback'
        if (word !== 'begin' && word !== 'start' && !isEnd)
          return end === undefined ? this.#alone(sql, values) : this.#inTurn(() => this.#send(sql, values))
        const ending = end
        end = isEnd ? undefined : await this.#begin()
        if (isEnd) await ending?.(word === 'commit')
        return { command: word.toUpperCase(), rowCount: 0, rows: [] }
      },
      release: () => undefined,
    }
  }
}

export type Undoable = {
  readonly pool: Pool
  /** What is done on the pool meanwhile is undone afterwards. */
  readonly undone: <T>(work: () => Promise<T>) => Promise<T>
}

/** A pool whose work can be undone. Undoing costs a hundredth of making the same rows again. */
export function undoable(real: Pool): Undoable {
  let current: OneTransaction | undefined
  const pool = new Proxy(real, {
    get: (_, name) => {
      if (current !== undefined && name === 'kysely') return current.kysely
      if (current !== undefined && name === 'run') return current.run.bind(current)
      const value: unknown = Reflect.get(real, name)
      return typeof value === 'function' ? value.bind(real) : value
    },
  })
  const undone: Undoable['undone'] = (work) =>
    real.kysely.connection().execute(async (outer) => {
      await outer.executeQuery(CompiledQuery.raw('begin'))
      current = new OneTransaction(outer)
      try {
        return await work()
      } finally {
        current = undefined
        await outer.executeQuery(CompiledQuery.raw('rollback'))
      }
    })
  return { pool, undone }
}
