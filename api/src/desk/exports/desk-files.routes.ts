import { Readable } from 'node:stream'
import { deskFileLocation } from '@portico/contract/calls/file-locations.ts'
import { clientFilter } from '@portico/contract/resources/desk-clients.ts'
import { base } from '@portico/contract/wire.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Clock } from '#platform/clock.ts'
import type { Actor } from '#platform/context.ts'
import type { Reads } from '#platform/db/hosts/reads.ts'
import type { Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { openFile } from '#platform/files/stored-files.ts'
import { attachment } from '#platform/http/attachment.ts'
import { keepOpen, longestStatementMs } from '#platform/http/connections/long-files.ts'
import { type Models, modelNamed } from '#platform/jsonapi/declare/model.ts'
import { actorOf } from '#platform/jsonapi/http/actor.ts'
import { begun, fewStreams } from '#platform/jsonapi/http/few-streams.ts'
import { csvLines } from '#platform/jsonapi/read/csv.ts'
import { rowsOf } from '#platform/jsonapi/read/cursor.ts'
import { assertLasting, ownExport } from '#staff/own-export.ts'
import { clientHeadings, clientLines } from './client-file.ts'

type Parts = {
  readonly pool: Pool
  readonly reads: Reads
  readonly clock: Clock
  readonly models: Models
  readonly storage: Pick<FileStorage, 'read'>
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>
}

type Asked = { Params: { id: string } }

// A hundred thousand clients are read while they are sent.
const longest = String(longestStatementMs)

const exported = z.object({ filter: clientFilter, created_at: z.string() })

const packed = z.object({
  from_day: z.string(),
  to_day: z.string(),
  format: z.string(),
  status: z.string(),
  file_key: z.nullable(z.string()),
  sha256: z.nullable(z.string()),
  size: z.nullable(z.number()),
  expires_at: z.nullable(z.string()),
})

/** `GET …/client-exports/{id}/-actions/download`: clients, streamed as CSV. */
function serveClients(app: FastifyInstance, parts: Parts): void {
  const model = modelNamed(parts.models, 'client-exports')
  const few = fewStreams()
  app.get<Asked>(`${base}${deskFileLocation.clients}`, { exposeHeadRoute: false }, async (request, reply) => {
    const actor = await actorOf(parts, model, request)
    const found = await ownExport(parts, model, actor, request.params.id)
    const { filter, created_at } = z.parse(exported, found)
    assertLasting(parts, created_at)
    const rows = rowsOf(parts.reads, clientLines(filter), longest)
    const lines = csvLines(clientHeadings, rows)
    const stream = await begun(few(() => Readable.from(keepOpen(request, lines))))
    return reply
      .header('content-disposition', attachment(`clients-${created_at.slice(0, 10)}.csv`))
      .type('text/csv; charset=utf-8')
      .send(stream)
  })
}

/** `GET …/document-archives/{id}/-actions/download`: documents of all clients as a ZIP. */
function serveDocuments(app: FastifyInstance, parts: Parts): void {
  const model = modelNamed(parts.models, 'document-archives')
  const few = fewStreams()
  app.get<Asked>(
    `${base}${deskFileLocation.documents}`,
    { exposeHeadRoute: false },
    async (request, reply) => {
      const actor = await actorOf(parts, model, request)
      const found = z.parse(packed, await ownExport(parts, model, actor, request.params.id))
      const { status, file_key, sha256, size, format, from_day, to_day, expires_at } = found
      const isOver = expires_at !== null && Date.parse(expires_at) <= parts.clock.now().getTime()
      if (status === 'removed' || isOver) throw refuse('export_ended')
      if (status === 'failed') throw refuse('archive_failed')
      if (file_key === null) throw refuse('archive_not_ready')
      const file = { key: file_key, sha256, what: `archive of documents ${request.params.id}` }
      const content = await openFile(parts, file)
      return reply
        .headers({
          'content-disposition': attachment(`${format}-${from_day}-${to_day}.zip`),
          'content-length': size ?? 0,
        })
        .type('application/zip')
        .send(few(() => content))
    },
  )
}

/** The files that staff export at the desk. */
export async function deskFileRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  serveClients(app, parts)
  serveDocuments(app, parts)
}
