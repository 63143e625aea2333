import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileLocation } from '@portico/contract/calls/file-locations.ts'
import { uploadQuery } from '@portico/contract/calls/files.ts'
import { fileExtensions, fileLimits } from '@portico/contract/rules/tickets/ticket-files.ts'
import { base, mediaType } from '@portico/contract/wire.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Actor } from '#platform/context.ts'
import { Problem, refuse } from '#platform/errors/problem.ts'
import { dropRefused, openFile, storageFailed } from '#platform/files/stored-files.ts'
import { attachment } from '#platform/http/attachment.ts'
import { type Models, modelNamed } from '#platform/jsonapi/declare/model.ts'
import { parseQuery } from '#platform/jsonapi/read/query.ts'
import { readOne, seenRow } from '#platform/jsonapi/read/read.ts'
import { type AdmitParts, admitFile, admittedName } from './admit.ts'
import { addFile, assertRoom } from './files.ts'

type Parts = AdmitParts & {
  readonly models: Models
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>
}

const tooLarge = () => refuse('upload_too_large', { most: '10 MB' })

/** The file name, when its extension is allowed. */
function nameOf({ query }: FastifyRequest) {
  const { data } = z.safeParse(uploadQuery, query)
  const name = admittedName(data?.filename ?? '')
  if (name !== undefined) return name
  throw refuse(
    'upload_kind_unknown',
    { kinds: fileExtensions.join(', ') },
    { source: { parameter: 'filename' } },
  )
}

/** Streams a body to a file, so that memory use is constant; stops at the size limit. */
async function receive(
  { pool }: Parts,
  body: Readable,
  file: string,
): Promise<{ size: number; sha256: Buffer }> {
  const failed = storageFailed(pool.kysely)
  const hash = createHash('sha256')
  const handle = await fs.open(file, 'wx', 0o600).catch(failed)
  let size = 0
  try {
    // The connection stays open, so that a refusal can be sent on it.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > fileLimits.each) throw tooLarge()
      hash.update(chunk)
      // `write` may accept a part of a chunk without an error when the disk is nearly full.
      await handle.appendFile(chunk).catch(failed)
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw refuse('upload_incomplete', {}, { cause: error })
  } finally {
    // Some file systems report a full disk only on close.
    await handle.close().catch(failed)
  }
  return { size, sha256: hash.digest() }
}

/** Receives and stores an uploaded file with its row; a failure at any step leaves nothing behind. */
async function take(parts: Parts, actor: Actor, request: FastifyRequest, body: Readable): Promise<number> {
  const { pool, storage } = parts
  const name = nameOf(request)
  if (Number(request.headers['content-length'] ?? 0) > fileLimits.each) throw tooLarge()
  await assertRoom(pool.kysely, actor, 0)
  const admitted = await admitFile(parts, name, (file) => receive(parts, body, file))
  return addFile(pool.kysely, actor, admitted).catch(async (error: unknown) => {
    await dropRefused(storage, admitted.key, error)
    throw error
  })
}

/** Headers that keep a browser from running a file, wherever it is opened. */
const inert = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'private, no-store',
}

async function hand(parts: Parts, actor: Actor, id: string, reply: FastifyReply) {
  const row = await seenRow(
    { run: parts.pool, actor, self: '' },
    modelNamed(parts.models, 'ticket-files'),
    id,
  )
  // The columns of the type's own table, which the engine only knows by name.
  const { filename, mime, size, storage_key, scan_status, sha256 } = row as unknown as {
    [name in 'filename' | 'mime' | 'storage_key' | 'scan_status']: string
  } & { size: number; sha256: Buffer }
  if (scan_status === 'infected') throw refuse('file_infected')
  const stored = { key: storage_key, sha256: sha256.toString('hex'), what: `ticket file ${id}` }
  const content = await openFile(parts, stored)
  return reply
    .headers({ ...inert, 'content-disposition': attachment(filename), 'content-length': size })
    .type(mime)
    .send(content)
}

/**
 * Files of tickets: `POST …/ticket-files/-actions/upload?filename=` with the bytes as its body, of any media
 * type, and `GET …/ticket-files/{id}/-actions/download` for every reader of the file.
 */
export async function ticketFileRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const ticketFiles = modelNamed(parts.models, 'ticket-files')
  // A document with the resource alone.
  const plain = parseQuery(parts.models, ticketFiles, '', 'one')
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const config = { slowBody: true }
    scope.post(`${base}${fileLocation.upload}`, { config }, async (request, reply) => {
      // The connection cannot be reused, because the body may not be read to its end.
      reply.headers({ 'cache-control': 'no-store', connection: 'close' })
      const actor = await parts.authenticate(request)
      const body = request.body instanceof Readable ? request.body : Readable.from([])
      const id = await take(parts, actor, request, body)
      const self = `${ticketFiles.path}/${id}`
      reply.code(201).removeHeader('connection').headers({ location: self, 'content-type': mediaType })
      return readOne({ run: parts.pool, actor, self }, ticketFiles, String(id), plain)
    })
    scope.get<{ Params: { id: string } }>(`${base}${fileLocation.download}`, async (request, reply) =>
      hand(parts, await parts.authenticate(request), request.params.id, reply),
    )
  })
}
