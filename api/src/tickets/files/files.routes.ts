import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { fileLocation } from '@portico/contract/calls/file-locations.ts'
import { uploadQuery } from '@portico/contract/calls/files.ts'
import {
  extensionOf,
  type FileExtension,
  fileExtensions,
  fileLimits,
} from '@portico/contract/rules/ticket-files.ts'
import { base, mediaType } from '@portico/contract/wire.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Actor } from '#platform/context.ts'
import type { Pool } from '#platform/db/pool.ts'
import { Problem, refuse } from '#platform/errors/problem.ts'
import { contentType, stripFile } from '#platform/files/file-content.ts'
import type { FileParts } from '#platform/files/file-parts.ts'
import { dropRefused, openFile, storageFailed } from '#platform/files/stored-files.ts'
import { attachment } from '#platform/http/attachment.ts'
import { type Models, modelNamed } from '#platform/jsonapi/declare/model.ts'
import { parseQuery } from '#platform/jsonapi/read/query.ts'
import { readOne, seenRow } from '#platform/jsonapi/read/read.ts'
import { addFile, assertRoom, cleanName } from './files.ts'

type Parts = FileParts & {
  readonly pool: Pool
  readonly models: Models
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>
}

const tooLarge = () => refuse('upload_too_large', { most: '10 MB' })

/** What the file is called, when its extension is one of those that may be. */
function nameOf({ query }: FastifyRequest): { filename: string; extension: FileExtension } {
  const { data } = z.safeParse(uploadQuery, query)
  const filename = cleanName(data?.filename ?? '')
  const extension = extensionOf(filename)
  if (extension !== undefined) return { filename, extension }
  throw refuse(
    'upload_kind_unknown',
    { kinds: fileExtensions.join(', ') },
    { source: { parameter: 'filename' } },
  )
}

/** Takes a body as it comes, so that memory does not grow with it; what is larger than a file may be is not waited for. */
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
      // `write` may take a part of a chunk without an error when the disk is nearly full.
      await handle.appendFile(chunk).catch(failed)
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw refuse('upload_incomplete', {}, { cause: error })
  } finally {
    // Some file systems only say at the end that there was no room.
    await handle.close().catch(failed)
  }
  return { size, sha256: hash.digest() }
}

/** What is in it, when that may be attached and holds no malware. */
async function look({ pool, scanner }: Parts, file: string, extension: FileExtension) {
  const mime = await contentType(file, extension).catch(storageFailed(pool.kysely))
  if (mime === undefined) throw refuse('upload_content_differs')
  const finding = await scanner(file).catch((error: unknown) => {
    throw refuse('files_not_checked', {}, { cause: error })
  })
  if (finding === 'infected') throw refuse('upload_infected')
  return { mime, finding }
}

/** From the first byte to the row; whatever fails on the way, nothing is left behind. */
async function take(parts: Parts, actor: Actor, request: FastifyRequest, body: Readable): Promise<number> {
  const { pool, storage } = parts
  const { filename, extension } = nameOf(request)
  if (Number(request.headers['content-length'] ?? 0) > fileLimits.each) throw tooLarge()
  await assertRoom(pool.kysely, actor, 0)
  const key = randomUUID()
  const file = path.join(storage.incoming, key)
  const failed = storageFailed(pool.kysely)
  try {
    const received = await receive(parts, body, file)
    if (received.size === 0) throw refuse('upload_empty')
    const { mime, finding } = await look(parts, file, extension)
    const { size, sha256 } = (await stripFile(file, mime).catch(failed)) ?? received
    await storage.keep(key, file).catch(failed)
    return await addFile(pool.kysely, actor, { filename, mime, size, sha256, key, finding }).catch(
      async (error: unknown) => {
        await dropRefused(storage, key, error)
        throw error
      },
    )
  } finally {
    await fs.rm(file, { force: true })
  }
}

/** What a browser must not do with a file, wherever it was opened from. */
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
  // The columns of the type's own table, which the engine knows by name alone.
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
 * Files of tickets, in and out: `POST …/ticket-files/-actions/upload?filename=` with the bytes as its body, whatever type it
 * says, and `GET …/ticket-files/{id}/-actions/download` for whoever sees the file.
 */
export async function ticketFileRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const ticketFiles = modelNamed(parts.models, 'ticket-files')
  // Of a document, the resource alone.
  const plain = parseQuery(parts.models, ticketFiles, '', 'one')
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const config = { slowBody: true }
    scope.post(`${base}${fileLocation.upload}`, { config }, async (request, reply) => {
      // Nothing else follows on a connection whose body may not be read to its end.
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
