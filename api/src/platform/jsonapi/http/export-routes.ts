import { Readable } from 'node:stream'
import { base } from '@portico/contract/wire.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor } from '#platform/context.ts'
import type { Pool, Row, Statement } from '#platform/db/pool.ts'
import { runnerOf } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertReached } from '#platform/jsonapi/declare/key-reach.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import { readingOn } from '#platform/jsonapi/explain.ts'
import { byteOrderMark, csvLine } from '#platform/jsonapi/read/csv.ts'
import type { Query } from '#platform/jsonapi/read/query.ts'
import { listingOf } from '#platform/jsonapi/read/read.ts'
import { countStatement, exportStatement } from '#platform/jsonapi/read/statements.ts'
import type { Engine } from './engine.ts'
import { assertAcceptable } from './media.ts'
import { checkedQuery, refuseOthers } from './routes.ts'

// Each holds a connection for as long as its reader takes, and others need some too.
const mostAtOnce = 2
const rowsAtOnce = 500

/** Rows by a cursor: however many there are, no more than a few hundred are in memory, and all are of one moment. */
async function* rowsOf(pool: Pool, { sql: text, values }: Statement): AsyncGenerator<Row[]> {
  const tx = await pool.kysely
    .startTransaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute()
  const run = runnerOf(tx)
  try {
    // A reader who does not read is let go.
    await sql`set local idle_in_transaction_session_timeout = '15s'`.execute(tx)
    await run.run({ sql: `declare exported no scroll cursor for ${text}`, values })
    for (;;) {
      const rows = await run.run({ sql: `fetch ${rowsAtOnce} from exported`, values: [] })
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    await tx.rollback().execute()
  }
}

async function* linesOf(headings: readonly string[], rows: AsyncIterable<Row[]>): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(headings)
  for await (const some of rows) yield some.map((row) => csvLine(Object.values(row))).join('')
}

/** The rows that the actor sees of a type and a query selects, all of them, as CSV, read as they are sent. */
export function csvOf(pool: Pool, model: Model, actor: Actor, query: Query): Readable {
  const { shape, values } = listingOf(actor, model, query)
  const rows = rowsOf(pool, exportStatement(model, shape, values))
  return Readable.from(linesOf(Object.keys(model.binding.csv ?? {}), rows))
}

/**
 * GET /{type}/-actions/export: the rows of the list that the same filters and sorts give, all of them, as CSV. Sent as it is
 * read; `x-total-rows` says how many there are. `rate_limited` while two others are under way.
 */
export function exportRoute(engine: Engine, model: Model): void {
  const headings = Object.keys(model.binding.csv ?? {})
  if (headings.length === 0) return
  let underWay = 0
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const actor = await engine.authenticate(request)
    assertReached(model, actor)
    assertAcceptable(request.headers.accept, ['text/csv'])
    const query = checkedQuery(engine, model, request, 'export')
    const { shape, values } = listingOf(actor, model, query)
    if (underWay >= mostAtOnce) throw refuse('exports_busy', {}, { headers: { 'retry-after': '5' } })
    const stream = csvOf(engine.pool, model, actor, query)
    // Counted before anything is waited for: of many that come at once none finds the place of another still free.
    underWay += 1
    // Also of one that failed, or whose reader left, before it began.
    stream.once('close', () => {
      underWay -= 1
    })
    const [counted] = await readingOn(engine.pool)
      .run(countStatement(model, shape, values))
      .catch((error: unknown) => {
        stream.destroy()
        throw error
      })
    const name = `${model.name}-${engine.clock.now().toISOString().slice(0, 10)}.csv`
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('x-total-rows', Number(counted?._total ?? 0))
      .send(stream)
  }
  const url = `${model.path.slice(base.length)}/-actions/export`
  engine.app.route({ method: 'GET', url, handler: answer, exposeHeadRoute: false })
  refuseOthers(engine.app, url, ['GET'])
}
