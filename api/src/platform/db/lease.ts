import { createHash } from 'node:crypto'
import type pg from 'pg'
import { noteStatement } from '#platform/slow-statements.ts'
import { codeOf } from './sql-states.ts'
import { hasStalePlan, isStaleConnection, mostAttempts } from './stale-connection.ts'

const mostNames = 1000
const names = new Map<string, string>()
// Part of every statement name. A migration invalidates the plans of all connections at once; new names force
// new plans.
let generation = 0

function nameOf(sql: string): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  if (names.size >= mostNames) names.clear()
  const name = createHash('sha256').update(`${generation} ${sql}`).digest('base64url').slice(0, 22)
  names.set(sql, name)
  return name
}

/** Renames all statements, unless another connection has done so since the statement was sent. */
function renameStatements(sentIn: number): void {
  if (sentIn !== generation) return
  generation += 1
  names.clear()
}

// A connection keeps a plan for every statement it has seen, about 100 kB each, and a signed-in person can
// produce thousands of shapes. So a connection with more plans than the portal itself needs is replaced.
const mostPlans = 200
const plans = new WeakMap<pg.PoolClient, Set<string>>()

/**
 * The longest silence of a server, in milliseconds. It ends a statement of a request after five seconds by
 * itself, so a longer silence means that its machine or the network is gone, which no packet tells.
 */
const longestSilenceMs = 8000

type Query = pg.QueryConfig & { query_timeout?: number }

/** Sends a named statement, so that PostgreSQL parses and plans each shape once per connection. */
function sendNamed(client: pg.PoolClient, query: Query): Promise<pg.QueryResult> {
  const name = nameOf(query.text)
  const seen = plans.get(client)
  if (seen) seen.add(name)
  else plans.set(client, new Set([name]))
  return client.query({ ...query, name })
}

const senders = {
  named: sendNamed,
  unnamed: (client: pg.PoolClient, query: Query) => client.query(query),
}

/** Sends a statement, and notes how long its answer took. */
async function timed(send: typeof sendNamed, client: pg.PoolClient, query: Query): Promise<pg.QueryResult> {
  const begun = performance.now()
  // The driver has the property, its types do not.
  const { processID: pid = null } = client as pg.PoolClient & { processID?: number | null }
  try {
    const result = await send(client, query)
    noteStatement(query.text, begun, pid)
    return result
  } catch (error) {
    noteStatement(query.text, begun, pid, codeOf(error))
    throw error
  }
}

const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout'

/** Whether a statement gives those after it more time. */
const givesTime = (sql: string, values: readonly unknown[]): boolean =>
  sql.includes('statement_timeout') || values.includes('statement_timeout')

/** A leased connection of the pool. Outside a transaction a stale one is replaced. */
export class Lease {
  readonly #pool: pg.Pool
  readonly #send: typeof sendNamed
  readonly #onFailure: (error: unknown) => void
  #client: pg.PoolClient | undefined
  #inTransaction = false
  #stale = false
  #patient = false
  #lost: unknown

  constructor(pool: pg.Pool, statements: keyof typeof senders, onFailure: (error: unknown) => void) {
    this.#pool = pool
    this.#onFailure = onFailure
    this.#send = senders[statements]
  }

  async query(sql: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.#lost !== undefined) throw this.#lost
    this.#patient ||= givesTime(sql, values)
    const limit = this.#patient ? {} : { query_timeout: longestSilenceMs }
    for (let attempt = 1; ; attempt++) {
      this.#client ??= await this.#pool.connect()
      const sentIn = generation
      try {
        const result = await timed(this.#send, this.#client, { text: sql, values: [...values], ...limit })
        if (/^(begin|start transaction)\b/.test(sql)) this.#inTransaction = true
        return result
      } catch (error) {
        this.#onFailure(error)
        this.#prepareRetry(error, attempt, sentIn)
      }
    }
  }

  /** Lets the next attempt have another connection; throws the error when there must be none. */
  #prepareRetry(error: unknown, attempt: number, sentIn: number): void {
    if (isSilence(error)) this.#lose(error)
    if (!isStaleConnection(error)) throw error
    if (hasStalePlan(error)) renameStatements(sentIn)
    this.#stale = true
    if (this.#inTransaction || attempt === mostAttempts) throw error
    this.release()
  }

  /** Closes a connection whose server is silent, for all that follows in its transaction too. */
  #lose(error: unknown): void {
    this.#lost = error
    this.release(true)
  }

  /** Returns the connection to the pool, or closes it when it failed, is stale or is full of plans. */
  release(failed = false): void {
    const client = this.#client
    this.#client = undefined
    client?.release(failed || this.#stale || (plans.get(client)?.size ?? 0) > mostPlans)
    this.#stale = false
  }
}
