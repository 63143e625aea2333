import { Readable } from 'node:stream'
import { accountingExportLocation } from '@portico/contract/calls/file-locations.ts'
import { accountingExportKind } from '@portico/contract/resources/accounting-exports.ts'
import type { AccountingExportKind } from '@portico/contract/rules/money/accounting-exports.ts'
import { hourMs } from '@portico/contract/time.ts'
import { base } from '@portico/contract/wire.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { operatorIfSet } from '#money/invoices/parties.ts'
import type { Clock } from '#platform/clock.ts'
import type { Actor } from '#platform/context.ts'
import type { Reads } from '#platform/db/hosts/reads.ts'
import { builder, type Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { attachment } from '#platform/http/attachment.ts'
import { type Models, modelNamed } from '#platform/jsonapi/declare/model.ts'
import { actorOf } from '#platform/jsonapi/http/actor.ts'
import { csvLines } from '#platform/jsonapi/read/csv.ts'
import { inSnapshot, rowsOf } from '#platform/jsonapi/read/cursor.ts'
import { seenRow } from '#platform/jsonapi/read/read.ts'
import { type Period, rowsOfFile } from './accounting-file.ts'
import { accountingFiles } from './files.ts'
import { assertSaft } from './saft/assert-saft.ts'
import { saftFile } from './saft/file.ts'

type Parts = {
  readonly pool: Pool
  readonly reads: Reads
  readonly clock: Clock
  readonly models: Models
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>
}

// An export holds a connection for as long as its reader takes.
const mostAtOnce = 2
// A statement of a year reads all of its entries.
const longest = '2min'

const asked = z.object({
  admin_id: z.int(),
  kind: accountingExportKind,
  from_day: z.string(),
  to_day: z.string(),
  created_at: z.string(),
})

/** The export that the actor asked for within the last hour. Throws `not_found`, `export_of_others`, `export_ended`. */
async function ownExport({ pool, clock, models }: Parts, actor: Actor, id: string) {
  const model = modelNamed(models, 'accounting-exports')
  const found = z.parse(asked, await seenRow({ run: pool, actor, self: '' }, model, id))
  if (found.admin_id !== actor.staff?.id) throw refuse('export_of_others')
  if (Date.parse(found.created_at) + hourMs < clock.now().getTime()) throw refuse('export_ended')
  return found
}

type Wanted = {
  readonly kind: AccountingExportKind
  readonly period: Period
  /** The moment of the export. */
  readonly made: string
}

/** The text of a file, read from one snapshot while it is sent, and its format. */
async function contentOf({ pool, reads }: Parts, { kind, period, made }: Wanted) {
  if (kind === 'saft') {
    const parts = { seller: await assertSaft(pool.kysely, period), period, made }
    const text = inSnapshot(reads, longest, (read) => saftFile(read, parts))
    return { text, extension: 'xml', type: 'application/xml; charset=utf-8' }
  }
  const { columns, separator, head, source } = accountingFiles[kind]
  // Without an operator there are no documents.
  const { currency = '' } = (await operatorIfSet(pool.kysely)) ?? {}
  const { sql, parameters } = rowsOfFile({ columns, source }, period).compile(builder)
  const rows = rowsOf(reads, { sql, values: parameters }, longest)
  const layout = { head: head?.(period, { made, currency }), separator }
  const text = csvLines(Object.keys(columns), rows, layout)
  return { text, extension: 'csv', type: 'text/csv; charset=utf-8' }
}

/** `GET …/accounting-exports/{id}/-actions/download`: a file for the accounts, streamed as CSV or XML. */
export async function accountingExportRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const model = modelNamed(parts.models, 'accounting-exports')
  let underWay = 0
  app.get<{ Params: { id: string } }>(
    `${base}${accountingExportLocation.download}`,
    { exposeHeadRoute: false },
    async (request, reply) => {
      const actor = await actorOf(parts, model, request)
      const {
        kind,
        from_day: from,
        to_day: to,
        created_at,
      } = await ownExport(parts, actor, request.params.id)
      const wanted = { kind, period: { from, to }, made: created_at }
      const { text, extension, type } = await contentOf(parts, wanted)
      if (underWay >= mostAtOnce) throw refuse('exports_busy', {}, { headers: { 'retry-after': '5' } })
      const stream = Readable.from(text)
      underWay += 1
      // Also fires for a stream that failed or was closed before it began.
      stream.once('close', () => {
        underWay -= 1
      })
      return reply
        .header('content-disposition', attachment(`${kind}-${from}-${to}.${extension}`))
        .type(type)
        .send(stream)
    },
  )
}
