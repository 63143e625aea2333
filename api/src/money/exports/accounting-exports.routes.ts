import { Readable } from 'node:stream'
import { accountingExportLocation } from '@portico/contract/calls/file-locations.ts'
import { accountingExportKind } from '@portico/contract/resources/accounting-exports.ts'
import type { AccountingExportKind } from '@portico/contract/rules/money/accounting-exports.ts'
import { base } from '@portico/contract/wire.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { operatorIfSet } from '#money/invoices/parties.ts'
import type { Clock } from '#platform/clock.ts'
import type { Actor } from '#platform/context.ts'
import type { Reads } from '#platform/db/hosts/reads.ts'
import { builder, type Pool } from '#platform/db/pool.ts'
import { attachment } from '#platform/http/attachment.ts'
import { keepOpen, longestStatementMs } from '#platform/http/connections/long-files.ts'
import { type Models, modelNamed } from '#platform/jsonapi/declare/model.ts'
import { actorOf } from '#platform/jsonapi/http/actor.ts'
import { begun, fewStreams } from '#platform/jsonapi/http/few-streams.ts'
import { csvLines } from '#platform/jsonapi/read/csv.ts'
import { inSnapshot, rowsOf } from '#platform/jsonapi/read/cursor.ts'
import { assertLasting, ownExport } from '#staff/own-export.ts'
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

// A statement of a year reads all of its entries.
const longest = String(longestStatementMs)

const asked = z.object({
  kind: accountingExportKind,
  from_day: z.string(),
  to_day: z.string(),
  created_at: z.string(),
})

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
  const open = fewStreams()
  app.get<{ Params: { id: string } }>(
    `${base}${accountingExportLocation.download}`,
    { exposeHeadRoute: false },
    async (request, reply) => {
      const actor = await actorOf(parts, model, request)
      const found = z.parse(asked, await ownExport(parts, model, actor, request.params.id))
      assertLasting(parts, found.created_at)
      const { kind, from_day: from, to_day: to } = found
      const wanted = { kind, period: { from, to }, made: found.created_at }
      const { text, extension, type } = await contentOf(parts, wanted)
      const stream = await begun(open(() => Readable.from(keepOpen(request, text))))
      return reply
        .header('content-disposition', attachment(`${kind}-${from}-${to}.${extension}`))
        .type(type)
        .send(stream)
    },
  )
}
