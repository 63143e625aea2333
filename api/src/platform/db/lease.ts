import { createHash } from 'node:crypto'
import type pg from 'pg'
import { noteStatement } from '#platform/slow-statements.ts'
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

/** Sends a named statement, so that PostgreSQL parses and plans each shape once per connection. */
async function send(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<pg.QueryResult> {
  const name = nameOf(sql)
  const seen = plans.get(client)
  if (seen) seen.add(name)
  else plans.set(client, new Set([name]))
  const begun = performance.now()
  // The driver has the property, its types do not.
  const { processID: pid = null } = client as pg.PoolClient & { processID?: number | null }
  try {
    return await client.query({ name, text: sql, values: [...values] })
  } finally {
    noteStatement(sql, begun, pid)
  }
}

/** A leased connection of the pool. Outside a transaction a stale one is replaced. */
export class Lease {
  readonly #pool: pg.Pool
  #client: pg.PoolClient | undefined
  #inTransaction = false
  #stale = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async query(sql: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    for (let attempt = 1; ; attempt++) {
      this.#client ??= await this.#pool.connect()
      const sentIn = generation
      try {
        const result = await send(this.#client, sql, values)
        if (/^(begin|start transaction)\b/.test(sql)) this.#inTransaction = true
        return result
      } catch (error) {
        if (!isStaleConnection(error)) throw error
        if (hasStalePlan(error)) renameStatements(sentIn)
        this.#stale = true
        if (this.#inTransaction || attempt === mostAttempts) throw error
        this.release()
      }
    }
  }

  /** Returns the connection to the pool, or closes it when it failed, is stale or is full of plans. */
  release(failed = false): void {
    const client = this.#client
    this.#client = undefined
    client?.release(failed || this.#stale || (plans.get(client)?.size ?? 0) > mostPlans)
    this.#stale = false
  }
}
