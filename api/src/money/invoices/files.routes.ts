import { invoiceFileLocation } from '@portico/contract/calls/file-locations.ts'
import { archiveRequest, archiveSelection } from '@portico/contract/calls/invoice-files.ts'
import { base } from '@portico/contract/wire.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ZipFile } from 'yazl'
import * as z from 'zod/mini'
import type { Actor } from '#platform/context.ts'
import type { Pool } from '#platform/db/pool.ts'
import { Problems, refuse, refuseValue } from '#platform/errors/problem.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { openFile } from '#platform/files/stored-files.ts'
import { attachment } from '#platform/http/attachment.ts'
import { languageOf } from '#platform/http/language.ts'
import { assertReached } from '#platform/jsonapi/declare/key-reach.ts'
import { type Models, modelNamed } from '#platform/jsonapi/declare/model.ts'
import { seenRow } from '#platform/jsonapi/read/read.ts'
import { type Archived, filesOf, lackingNote, partWhole } from './archive.ts'

type Parts = {
  readonly pool: Pool
  readonly models: Models
  readonly storage: Pick<FileStorage, 'read'>
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>
}

type Format = 'pdf' | 'xml'

/** The file that the tax office signed, in the system that is in use. */
async function signedFile({ pool }: Parts, invoiceId: number) {
  return pool.kysely
    .selectFrom('e_invoices as e')
    .innerJoin('tax_offices as o', 'o.environment', 'e.environment')
    .select(['e.signed_key as key', 'e.signed_sha256 as sha256'])
    .where('e.invoice_id', '=', invoiceId)
    .where('e.state', '=', 'accepted')
    .where('o.in_use', '=', true)
    .executeTakeFirst()
}

const types: Record<Format, string> = { pdf: 'application/pdf', xml: 'application/xml' }

/** Headers that keep a browser from running a file, wherever it is opened. */
const inert = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'private, no-cache',
}

const notReady = { pdf: 'document_pdf_not_ready', xml: 'document_xml_not_ready' } as const

async function hand(parts: Parts, actor: Actor, reply: FastifyReply, asked: { id: string; format: Format }) {
  const { id, format } = asked
  const invoices = modelNamed(parts.models, 'invoices')
  assertReached(invoices, actor)
  const row = await seenRow({ run: parts.pool, actor, self: '' }, invoices, id)
  // The columns of the type's own table, which the engine only knows by name.
  const {
    full_number,
    [`${format}_key`]: key,
    [`${format}_sha256`]: sha256 = null,
  } = row as unknown as Record<string, string | null>
  if (!key) throw refuse(notReady[format], {}, { headers: { 'retry-after': '2' } })
  const what = `document ${full_number}.${format}`
  const file = await openFile(parts, { key, sha256, what, invoiceId: Number(id) })
  return reply
    .headers({
      ...inert,
      'content-disposition': attachment(`${full_number}.${format}`),
      etag: `"${sha256}"`,
    })
    .type(types[format])
    .send(file)
}

type Asked = Partial<z.output<typeof archiveRequest> & z.output<typeof archiveSelection>>

function asked(body: unknown): Asked {
  // Actions accept their input bare, or under `data`.
  const given = z.safeParse(z.object({ data: z.looseObject({}) }), body)
  const input = given.data?.data ?? body
  const hasIds = z.safeParse(z.looseObject({ ids: z.unknown() }), input).success
  const { data, error } = hasIds ? z.safeParse(archiveSelection, input) : z.safeParse(archiveRequest, input)
  if (data) return data
  const above = given.success ? '/data' : ''
  throw new Problems(
    error.issues.map(({ path, message }) => {
      const pointer = `${above}${path.map((part) => `/${String(part)}`).join('')}`
      return refuseValue(message, { source: { pointer } })
    }),
  )
}

/**
 * Packs files as they are read, one after another, so that memory use is constant. PDFs are already
 * compressed.
 */
function pack(parts: Parts, files: readonly Archived[], format: Format): ZipFile {
  const zip = new ZipFile()
  for (const file of files)
    zip.addReadStreamLazy(file.name, { compress: format === 'xml' }, (done) => {
      openFile(parts, file).then(
        (content) => done(null, content),
        (error: unknown) => done(error, undefined as never), // Its types lack the call without a stream.
      )
    })
  return zip
}

/** Sends the signed file of a document to its readers. */
async function handSigned(parts: Parts, actor: Actor, reply: FastifyReply, id: string) {
  const invoices = modelNamed(parts.models, 'invoices')
  assertReached(invoices, actor)
  // The number of the type’s own table, which the engine only knows by name.
  const { full_number } = (await seenRow({ run: parts.pool, actor, self: '' }, invoices, id)) as unknown as {
    full_number: string
  }
  const signed = await signedFile(parts, Number(id))
  if (!signed?.key) throw refuse('einvoice_file_not_ready')
  const { key, sha256 } = signed
  const file = await openFile(parts, { key, sha256, what: `document ${full_number}.zip` })
  return reply
    .headers({
      ...inert,
      'content-disposition': attachment(`${full_number}-e-factura.zip`),
      etag: `"${sha256}"`,
    })
    .type('application/zip')
    .send(file)
}

/**
 * Files of documents: `GET …/invoices/{id}/-actions/download`, `…/xml` and `…/signed` for every reader of the document,
 * byte for byte as they were made, and `POST …/invoices/-actions/downloadArchive` for many as a ZIP, with
 * their number in `x-total-files`, and in `x-missing-files` the number of damaged or missing ones that it
 * only lists. Every file is compared with its SHA-256 before the first byte is sent.
 */
export async function invoiceFileRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const one =
    (format: Format) => async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) =>
      hand(parts, await parts.authenticate(request), reply, { id: request.params.id, format })
  await app.register(async (scope) => {
    scope.get(`${base}${invoiceFileLocation.download}`, one('pdf'))
    scope.get(`${base}${invoiceFileLocation.xml}`, one('xml'))
    scope.get<{ Params: { id: string } }>(`${base}${invoiceFileLocation.signed}`, async (request, reply) =>
      handSigned(parts, await parts.authenticate(request), reply, request.params.id),
    )
    scope.post(`${base}${invoiceFileLocation.archive}`, async (request, reply) => {
      const actor = await parts.authenticate(request)
      assertReached(modelNamed(parts.models, 'invoices'), actor)
      const wanted = asked(request.body)
      const format = wanted.format ?? 'pdf'
      const files = await filesOf(parts.pool.kysely, actor, { ...wanted, format })
      const { whole, lacking } = await partWhole(parts, files)
      for (const { name, problem } of lacking)
        request.log.error({ err: problem }, `${name} is not in an archive`)
      const zip = pack(parts, whole, format)
      if (lacking.length > 0) {
        const names = lacking.map(({ name }) => name)
        const { file, content } = lackingNote(languageOf(request), names)
        zip.addBuffer(content, file)
      }
      zip.end()
      // A failure during sending destroys the connection: half an archive must not look complete.
      zip.on('error', (error) => reply.raw.destroy(error instanceof Error ? error : new Error(String(error))))
      return reply
        .headers({
          ...inert,
          'content-disposition': attachment(
            `${['documents', wanted.from, wanted.to].filter(Boolean).join('-')}.zip`,
          ),
          'x-total-files': whole.length,
          'x-missing-files': lacking.length,
        })
        .type('application/zip')
        .send(zip.outputStream)
    })
  })
}
