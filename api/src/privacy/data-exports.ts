import { dayMs, hourMs } from '@portico/contract/time.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Clock } from '#platform/clock.ts'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import type { StoredFile } from '#platform/files/stored-files.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'
import { type Kept, packAndKeep } from './pack-and-keep.ts'
import type { ExportPart } from './pack-parts.ts'

/** The dependencies of data exports. */
export type DataExportParts = {
  readonly pool: Pool
  readonly clock: Clock
  readonly vault: Vault
  readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'remove'>
  /** All data of a client, file by file. */
  readonly partsOf: (clientId: number) => Promise<readonly ExportPart[]>
}

/** The time for downloading an export: a weekend and a day, and no longer, because it holds everything. */
const keptForMs = 72 * hourMs

const mostInADay = 3

type Export = RowOf<'data_exports'>

/** An export in API responses. */
const shown = ({ id, status, done, total, size, created_at, expires_at }: Export) => ({
  id,
  status: status as 'waiting' | 'running' | 'ready' | 'failed', // The column allows no other values.
  done,
  total,
  size,
  created_at,
  expires_at,
})

/** A person's exports, newest first, without expired ones. */
export async function exportsOf(db: Database, clientId: number, now: Date) {
  const rows = await db
    .selectFrom('data_exports')
    .select(columns.data_exports)
    .where('client_id', '=', clientId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
    .orderBy('id', 'desc')
    .limit(10)
    .execute()
  return rows.map(shown)
}

/**
 * Requests an export, in a transaction; `byStaff`: staff ask for it. Throws `data_export_running` while one is in progress, and
 * `data_exports_most` after three in a day.
 */
export async function requestExport(tx: Database, clientId: number, now: Date, byStaff = false) {
  // The person's row is the lock: of two concurrent requests, the later one counts the other.
  await tx.selectFrom('clients').select('id').where('id', '=', clientId).forNoKeyUpdate().execute()
  const lately = await tx
    .selectFrom('data_exports')
    .select('status')
    .where('client_id', '=', clientId)
    .where('created_at', '>', new Date(now.getTime() - dayMs).toISOString())
    .execute()
  if (lately.some(({ status }) => status === 'waiting' || status === 'running'))
    throw refuse('data_export_running')
  if (lately.length >= mostInADay)
    throw refuse('data_exports_most', { most: mostInADay }, { headers: { 'retry-after': '3600' } })
  // An export unfinished after a day died with its job.
  await tx
    .updateTable('data_exports')
    .set({ status: 'failed', finished_at: now.toISOString() })
    .where('client_id', '=', clientId)
    .where('status', 'in', ['waiting', 'running'])
    .execute()
  const made = await tx
    .insertInto('data_exports')
    .values({ client_id: clientId, created_at: now.toISOString(), by_staff: byStaff })
    .returning(columns.data_exports)
    .executeTakeFirstOrThrow()
  await enqueue(tx, 'privacy.export', { exportId: made.id }, { attempts: 3 })
  return shown(made)
}

/**
 * The file of a person's export. Throws `data_export_not_found` when it is not theirs or is gone, and
 * `data_export_not_ready`.
 */
export async function exportFileOf(
  db: Database,
  clientId: number,
  { id, now }: { readonly id: number; readonly now: Date },
): Promise<{ file: StoredFile; size: number; made: string }> {
  const found = await db
    .selectFrom('data_exports')
    .select(['file_key', 'sha256', 'size', 'finished_at'])
    .where('id', '=', id)
    .where('client_id', '=', clientId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
    .executeTakeFirst()
  if (found === undefined) throw refuse('data_export_not_found')
  const { file_key, sha256, size, finished_at } = found
  if (file_key === null || size === null || finished_at === null) throw refuse('data_export_not_ready')
  return { file: { key: file_key, sha256, what: `data export ${id}` }, size, made: finished_at }
}

async function begin(db: Database, exportId: number): Promise<number | undefined> {
  const begun = await db
    .updateTable('data_exports')
    .set({ status: 'running', done: 0 })
    .where('id', '=', exportId)
    .where('status', 'in', ['waiting', 'running'])
    .returning('client_id')
    .executeTakeFirst()
  return begun?.client_id
}

/** Marks an export as ready and notifies its person; false when it was deleted meanwhile. */
async function finish(
  { pool, clock, vault }: DataExportParts,
  exportId: number,
  made: Kept,
): Promise<boolean> {
  const now = clock.now()
  const expires = new Date(now.getTime() + keptForMs).toISOString()
  return pool.kysely.transaction().execute(async (tx) => {
    const done = await tx
      .updateTable('data_exports')
      .set(({ ref }) => ({
        status: 'ready',
        done: ref('total'),
        file_key: made.key,
        size: made.size,
        sha256: made.sha256,
        finished_at: now.toISOString(),
        expires_at: expires,
      }))
      .where('id', '=', exportId)
      .where('status', '=', 'running')
      .returning(['client_id', 'by_staff as byStaff'])
      .executeTakeFirst()
    if (done === undefined) return false
    const person = await clientsWithLanguage(tx)
      .select(['c.email', 'c.first_name', 'l.code'])
      .where('c.id', '=', done.client_id)
      .executeTakeFirstOrThrow()
    await queueMail(
      { tx, vault },
      {
        to: person.email,
        language: person.code,
        letter: {
          kind: 'data-export-ready',
          name: person.first_name,
          until: expires,
          byStaff: done.byStaff,
        },
      },
    )
    return true
  })
}

/** Creates a person's export, and notifies them when it is ready. The `last` attempt records a failure. */
export async function makeExport(
  archivist: DataExportParts,
  exportId: number,
  { last }: { readonly last: boolean },
): Promise<void> {
  const { pool, clock } = archivist
  const db = pool.kysely
  const clientId = await begin(db, exportId)
  if (clientId === undefined) return
  const running = () =>
    db.updateTable('data_exports').where('id', '=', exportId).where('status', '=', 'running')
  await packAndKeep(archivist, {
    partsOf: async () => {
      const parts = await archivist.partsOf(clientId)
      await db.updateTable('data_exports').set({ total: parts.length }).where('id', '=', exportId).execute()
      return parts
    },
    progress: (done) => running().set({ done }).execute(),
    finish: (made) => finish(archivist, exportId, made),
    fail: last
      ? () => running().set({ status: 'failed', finished_at: clock.now().toISOString() }).execute()
      : undefined,
  })
}

/** Deletes expired exports, and the rest of failed ones. */
export async function pruneExports(db: Database, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const over = await tx
      .deleteFrom('data_exports')
      .where('expires_at', '<=', now.toISOString())
      .returning('file_key')
      .execute()
    await removeFiles(tx, over)
    await tx
      .deleteFrom('data_exports')
      .where('status', '=', 'failed')
      .where('finished_at', '<', new Date(now.getTime() - keptForMs).toISOString())
      .execute()
  })
}

async function removeFiles(tx: Database, rows: readonly Pick<Export, 'file_key'>[]): Promise<void> {
  for (const { file_key } of rows) if (file_key !== null) await enqueue(tx, 'file.remove', { key: file_key })
}

/** Deletes all exports of a person, including those in progress. */
export async function dropExports(tx: Database, clientId: number): Promise<void> {
  const gone = await tx
    .deleteFrom('data_exports')
    .where('client_id', '=', clientId)
    .returning('file_key')
    .execute()
  await removeFiles(tx, gone)
}
