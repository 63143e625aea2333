import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import type { Actor } from '#platform/context.ts'
import type { Reads } from '#platform/db/hosts/reads.ts'
import { faultOf, openFile, type StoredFile, type StoredFiles } from '#platform/files/stored-files.ts'
import type { Model, Models } from '#platform/jsonapi/declare/model.ts'
import { csvOf } from '#platform/jsonapi/http/export-routes.ts'
import { parseQuery } from '#platform/jsonapi/read/query.ts'
import { readList } from '#platform/jsonapi/read/read.ts'
import { accessOf } from '#sharing/grants.ts'
import type { ExportPart } from './pack-parts.ts'
import { formerDetails, signInData } from './personal-data.ts'

type Parts = StoredFiles & { readonly models: Models; readonly reads: Reads }

/** The person on their own account, without grants: shared data belongs to its owners. */
const ownerOf = (clientId: number): Actor => ({
  kind: 'client',
  id: clientId,
  accountId: '',
  sessionId: '',
  emailVerified: true,
  language: 'en',
  ...accessOf(clientId, []),
})

const rowsAtOnce = 100

const page = z.object({
  data: z.array(
    z.object({
      type: z.string(),
      id: z.string(),
      attributes: z.optional(z.unknown()),
      relationships: z.optional(z.record(z.string(), z.object({ data: z.optional(z.unknown()) }))),
    }),
  ),
})

/** All rows of a type that belong to the person, as one document of the data API. */
async function* documentOf({ reads, models }: Parts, model: Model, actor: Actor): AsyncGenerator<string> {
  yield '{"data":['
  let written = 0
  for (let number = 1; ; number++) {
    const query = parseQuery(models, model, `page[size]=${rowsAtOnce}&page[number]=${number}`, 'list')
    const body = await readList({ run: reads, actor, self: model.path }, model, query)
    const { data } = page.parse(JSON.parse(body.toString()))
    yield data.map((row, at) => `${written + at === 0 ? '' : ','}\n${JSON.stringify(row)}`).join('')
    written += data.length
    if (data.length < rowsAtOnce) break
  }
  yield '\n]}\n'
}

const textFile = (name: string, open: ExportPart['open']): ExportPart => ({ name, compress: true, open })

const jsonFile = (name: string, read: () => Promise<unknown>): ExportPart =>
  textFile(`data/${name}.json`, async () => Readable.from([`${JSON.stringify(await read(), null, 1)}\n`]))

/** Every type with personal rows; lookup types are left out. */
const personal = (models: Models) =>
  [...models.values()].filter(({ lookup, binding }) => !lookup && binding.account !== undefined)

function tables(parts: Parts, actor: Actor): ExportPart[] {
  return personal(parts.models).flatMap((model) => [
    textFile(`data/${model.name}.json`, async () => Readable.from(documentOf(parts, model, actor))),
    ...(model.binding.csv
      ? [
          textFile(`tables/${model.name}.csv`, async () =>
            csvOf(parts.reads, model, actor, parseQuery(parts.models, model, '', 'export')),
          ),
        ]
      : []),
  ])
}

/** A stored file, and its name in the export. */
type Kept = StoredFile & { readonly name: string }

/** The person's issued documents. */
async function documents({ pool }: Parts, clientId: number): Promise<Kept[]> {
  const rows = await pool.kysely
    .selectFrom('invoices')
    .select(['id', 'full_number', 'pdf_key', 'pdf_sha256', 'xml_key', 'xml_sha256'])
    .where('client_id', '=', clientId)
    .where('pdf_key', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, full_number, ...row }) =>
    (['pdf', 'xml'] as const).flatMap((format) => {
      const [name, key] = [`${full_number}.${format}`, row[`${format}_key`]]
      const file = { sha256: row[`${format}_sha256`], what: `document ${name}`, invoiceId: id }
      return key === null ? [] : [{ name: `documents/${name}`, key, ...file }]
    }),
  )
}

// Unpackers may decode percent escapes. A colon is the only character allowed in file names here that Windows
// interprets.
const inArchive = (filename: string): string => filename.replaceAll(/[/\\:]|%(?=[\da-f]{2})/gi, '_')

/** The files of the person's tickets, without those of internal notes. */
async function attachments({ pool }: Parts, clientId: number): Promise<Kept[]> {
  const rows = await pool.kysely
    .selectFrom('ticket_files as f')
    .leftJoin('ticket_messages as m', 'm.id', 'f.ticket_message_id')
    .select(['f.id', 'f.filename', 'f.storage_key', 'f.sha256'])
    .where('f.client_id', '=', clientId)
    .where('f.scan_status', '<>', 'infected')
    .where((eb) => eb.or([eb('m.id', 'is', null), eb('m.visibility', '=', 'public')]))
    .orderBy('f.id')
    .execute()
  return rows.map(({ id, filename, storage_key, sha256 }) => ({
    name: `attachments/${id}-${inArchive(filename)}`,
    key: storage_key,
    sha256: sha256.toString('hex'),
    what: `ticket file ${id}`,
  }))
}

/**
 * The intact stored files, and a list of the others: a damaged file does not block the export, and the person
 * learns which it is.
 */
async function storedParts(parts: Parts, files: readonly Kept[]): Promise<ExportPart[]> {
  const whole: ExportPart[] = []
  const lost: string[] = []
  for (const file of files) {
    if (await faultOf(parts, file)) lost.push(`${file.name}\n`)
    else whole.push({ name: file.name, compress: false, open: () => openFile(parts, file) })
  }
  return lost.length === 0
    ? whole
    : [...whole, textFile('damaged-or-missing-files.txt', async () => Readable.from(lost))]
}

/** Builds the files of a person's export: data, tables, documents and attachments. */
export const exportPartsOf =
  (parts: Parts) =>
  async (clientId: number): Promise<readonly ExportPart[]> => [
    ...tables(parts, ownerOf(clientId)),
    jsonFile('sign-in', () => signInData(parts.pool.kysely, clientId)),
    jsonFile('former-billing-details', () => formerDetails(parts.pool.kysely, clientId)),
    ...(await storedParts(parts, [
      ...(await documents(parts, clientId)),
      ...(await attachments(parts, clientId)),
    ])),
  ]
