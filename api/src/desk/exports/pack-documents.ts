import { Readable } from 'node:stream'
import { type Selectable, sql } from 'kysely'
import { type Archived, archivedFile, lackingNote, partWhole } from '#money/invoices/archive.ts'
import type { Clock } from '#platform/clock.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/types.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { openFile } from '#platform/files/stored-files.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { type Kept, packAndKeep } from '#privacy/pack-and-keep.ts'
import type { ExportPart } from '#privacy/pack-parts.ts'
import { exportKeptMs } from '#staff/own-export.ts'

/** The dependencies of archives of documents. */
export type ArchiveParts = {
  readonly pool: Pool
  readonly clock: Clock
  readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'read' | 'remove'>
}

type Archive = Selectable<DB['document_archives']>
type Period = { readonly from_day: string; readonly to_day: string; readonly format: string }

/** The invoices and credit notes of a period that have a file of the format. */
export const archivedDocuments = (db: Database, { from_day, to_day, format }: Period) =>
  db
    .selectFrom('invoices')
    .where('issue_date', '>=', from_day)
    .where('issue_date', '<=', to_day)
    .where('issued_at', 'is not', null)
    .where('kind', '<>', 'proforma')
    .where(format === 'xml' ? 'xml_key' : 'pdf_key', 'is not', null)

/** The files of an archive, in the order of their numbers. */
async function filesOf(db: Database, archive: Archive): Promise<Archived[]> {
  const format = archive.format === 'xml' ? 'xml' : 'pdf'
  const rows = await archivedDocuments(db, archive)
    .select(['id', 'full_number', `${format}_key as key`, `${format}_sha256 as sha256`])
    .orderBy('issue_date')
    .orderBy('id')
    .execute()
  return rows.map((row) => archivedFile(row, format))
}

/** The parts of the ZIP, and how many documents are missing in it. */
async function partsOf(
  parts: ArchiveParts,
  archive: Archive,
): Promise<{ lacking: number; all: ExportPart[] }> {
  const { whole, lacking } = await partWhole(parts, await filesOf(parts.pool.kysely, archive))
  const note = lackingNote(
    'en',
    lacking.map(({ name }) => name),
  )
  const noted = { name: note.file, compress: true, open: async () => Readable.from([note.content]) }
  // A PDF is compressed already.
  const compress = archive.format === 'xml'
  const packed = whole.map((file) => ({ name: file.name, compress, open: () => openFile(parts, file) }))
  return { lacking: lacking.length, all: lacking.length === 0 ? packed : [...packed, noted] }
}

type Made = Kept & { readonly lacking: number }

/** Marks an archive as ready for an hour; false when it is not packed any more, or by another attempt. */
async function finish({ pool, clock }: ArchiveParts, id: number, made: Made): Promise<boolean> {
  const { key, size, sha256, lacking } = made
  const expires_at = new Date(clock.now().getTime() + exportKeptMs).toISOString()
  const { numUpdatedRows } = await pool.kysely
    .updateTable('document_archives')
    .set(({ ref }) => ({
      status: 'ready',
      done: ref('total'),
      lacking,
      file_key: key,
      size,
      sha256,
      expires_at,
    }))
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** Packs an archive of documents. The `last` attempt records a failure. */
export async function packDocuments(
  parts: ArchiveParts,
  id: number,
  { last }: { readonly last: boolean },
): Promise<void> {
  const db = parts.pool.kysely
  const archive = await db
    .updateTable('document_archives')
    .set({ status: 'running', done: 0 })
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'running'])
    .returning(columns.document_archives)
    .executeTakeFirst()
  if (archive === undefined) return
  const running = () =>
    db.updateTable('document_archives').where('id', '=', id).where('status', '=', 'running')
  let missing = 0
  await packAndKeep(parts, {
    partsOf: async () => {
      const { lacking, all } = await partsOf(parts, archive)
      missing = lacking
      return all
    },
    progress: (done) => running().set({ done }).execute(),
    finish: (made) => finish(parts, id, { ...made, lacking: missing }),
    fail: last ? () => running().set({ status: 'failed' }).execute() : undefined,
  })
}

/** Removes the files of archives that are over, and fails those whose job died; their rows say who had them. */
export async function removeArchives(db: Database, now: Date): Promise<void> {
  await db
    .updateTable('document_archives')
    .set({ status: 'failed' })
    .where('status', 'in', ['waiting', 'running'])
    // All of its attempts are over by then.
    .where('created_at', '<', sql<string>`now() - interval '3 hours'`)
    .execute()
  await db.transaction().execute(async (tx) => {
    const over = await tx
      .selectFrom('document_archives')
      .select(['id', 'file_key'])
      .where('expires_at', '<=', now.toISOString())
      .forUpdate()
      .execute()
    for (const { id, file_key } of over) {
      await tx
        .updateTable('document_archives')
        .set({ status: 'removed', file_key: null, expires_at: null })
        .where('id', '=', id)
        .execute()
      if (file_key !== null) await enqueue(tx, 'file.remove', { key: file_key })
    }
  })
}
