import { Readable } from 'node:stream'
import { base } from '@portico/contract/wire.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '#platform/context.ts'
import type { Reads } from '#platform/db/hosts/reads.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertReached } from '#platform/jsonapi/declare/key-reach.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import { readingOn } from '#platform/jsonapi/explain.ts'
import { csvLines } from '#platform/jsonapi/read/csv.ts'
import { rowsOf } from '#platform/jsonapi/read/cursor.ts'
import type { Query } from '#platform/jsonapi/read/query.ts'
import { listingOf } from '#platform/jsonapi/read/read.ts'
import { countStatement, exportStatement } from '#platform/jsonapi/read/statements.ts'
import type { Engine } from './engine.ts'
import { begun, fewStreams } from './few-streams.ts'
import { assertAcceptable } from './media.ts'
import { note } from './offered.ts'
import { checkedQuery } from './routes.ts'

/** All rows of a query that the actor sees, as CSV, streamed. */
export function csvOf(reads: Reads, model: Model, actor: Actor, query: Query): Readable {
  const { shape, values } = listingOf(actor, model, query)
  const rows = rowsOf(reads, exportStatement(model, shape, values))
  return Readable.from(csvLines(Object.keys(model.binding.csv ?? {}), rows))
}

/**
 * Everybody's rows in one file are what a stolen sign-in of staff would take; the desk has reports and exports of its own, which are
 * logged. Throws `export_client_missing`.
 */
function assertOneClient(model: Model, { staff }: Actor, { filters }: Query): void {
  if (staff === undefined || !model.binding.csvOfOne || filters.has('client_id')) return
  throw refuse('export_client_missing', {}, { source: { parameter: 'filter[client_id]' } })
}

/**
 * GET /{type}/-actions/export: streams all rows of the filtered and sorted list as CSV; `x-total-rows` holds
 * their number. Throws `exports_busy` while two other exports run, and like `assertOneClient`.
 */
export function exportRoute(engine: Engine, model: Model): void {
  const headings = Object.keys(model.binding.csv ?? {})
  if (headings.length === 0) return
  const few = fewStreams()
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const actor = await engine.authenticate(request)
    assertReached(model, actor)
    assertAcceptable(request.headers.accept, ['text/csv'])
    const query = checkedQuery(engine, model, request, 'export')
    assertOneClient(model, actor, query)
    const { shape, values } = listingOf(actor, model, query)
    const stream = few(() => csvOf(engine.reads, model, actor, query))
    const [counted] = await readingOn(engine.pool)
      .run(countStatement(model, shape, values))
      .catch((error: unknown) => {
        stream.destroy()
        throw error
      })
    await begun(stream)
    const name = `${model.name}-${engine.clock.now().toISOString().slice(0, 10)}.csv`
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('x-total-rows', Number(counted?._total ?? 0))
      .send(stream)
  }
  const url = `${model.path.slice(base.length)}/-actions/export`
  engine.app.route({ method: 'GET', url, handler: answer, exposeHeadRoute: false })
  note(engine, url, ['GET'])
}
