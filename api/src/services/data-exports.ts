import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Clock } from '../adapters/clock.ts'
import type { FileStorage } from '../adapters/file-storage.ts'
import type { RowOf } from '../db/context.ts'
import type { Database, Pool } from '../db/pool.ts'
import type { Vault } from '../db/vault.ts'
import { Problem } from '../errors/problem.ts'
import { enqueue } from './enqueue.ts'
import { queueMail } from './mail.ts'

/** A file of the archive, opened when its turn comes. */
export type ExportPart = {
  readonly name: string
  /** What is packed already is not packed again. */
  readonly compress: boolean
  readonly open: () => Promise<Readable>
}

/** What copies are made with, and where they are kept. */
export type Archivist = {
  readonly pool: Pool
  readonly clock: Clock
  readonly vault: Vault
  readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'remove'>
  /** Everything that is kept of a client, file by file. */
  readonly partsOf: (clientId: number) => Promise<readonly ExportPart[]>
}

const hours = 3_600_000

/** How long a copy can be fetched: a weekend and a day, and no longer, since it holds everything. */
const keptForMs = 72 * hours

const mostInADay = 3

type Export = RowOf<'data_exports'>

/** A copy as its person is told of it. */
const shown = ({ id, status, done, total, size, created_at, expires_at }: Export) => ({
  id,
  status: status as 'waiting' | 'running' | 'ready' | 'failed', // The table takes no other.
  done,
  total,
  size,
  created_at,
  expires_at,
})

/** The copies of a person, the newest first; one whose time is over is not there any more. */
export async function exportsOf(db: Database, clientId: number, now: Date) {
  const rows = await db
    .selectFrom('data_exports')
    .selectAll()
    .where('client_id', '=', clientId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
    .orderBy('id', 'desc')
    .limit(10)
    .execute()
  return rows.map(shown)
}

/** Asks for a copy. Throws `conflict` while one is being made, and `rate_limited` after three in a day. */
export async function requestExport(db: Database, clientId: number, now: Date) {
  return db.transaction().execute(async (tx) => {
    // The person's row is the lock: of two requests at once, the one that waited counts the other.
    await tx.selectFrom('clients').select('id').where('id', '=', clientId).forNoKeyUpdate().execute()
    const lately = await tx
      .selectFrom('data_exports')
      .select('status')
      .where('client_id', '=', clientId)
      .where('created_at', '>', new Date(now.getTime() - 24 * hours).toISOString())
      .execute()
    if (lately.some(({ status }) => status === 'waiting' || status === 'running'))
      throw new Problem('conflict', 'A copy is being made already.')
    if (lately.length >= mostInADay)
      throw new Problem('rate_limited', `At most ${mostInADay} copies are made in a day.`, {
        headers: { 'retry-after': '3600' },
      })
    // One of more than a day ago died with its job.
    await tx
      .updateTable('data_exports')
      .set({ status: 'failed', finished_at: now.toISOString() })
      .where('client_id', '=', clientId)
      .where('status', 'in', ['waiting', 'running'])
      .execute()
    const made = await tx
      .insertInto('data_exports')
      .values({ client_id: clientId, created_at: now.toISOString() })
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueue(tx, 'privacy.export', { exportId: made.id }, { attempts: 3 })
    return shown(made)
  })
}

/** Where the file of a person's copy is. Throws `not_found` when it is not theirs or is gone, and `not_ready`. */
export async function exportFileOf(
  db: Database,
  clientId: number,
  { id, now }: { readonly id: number; readonly now: Date },
): Promise<{ key: string; size: number; made: string }> {
  const found = await db
    .selectFrom('data_exports')
    .select(['status', 'file_key', 'size', 'finished_at'])
    .where('id', '=', id)
    .where('client_id', '=', clientId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
    .executeTakeFirst()
  if (found === undefined) throw new Problem('not_found', 'There is no such copy, or its time is over.')
  const { file_key, size, finished_at } = found
  if (file_key === null || size === null || finished_at === null)
    throw new Problem('not_ready', 'The copy is not made yet.')
  return { key: file_key, size, made: finished_at }
}

/** Adds the parts one after another, each opened when the one before is in, and tells how many there are so far. */
function zipOf(parts: readonly ExportPart[], added: (done: number) => void): ZipFile {
  const zip = new ZipFile()
  for (const [at, { name, compress, open }] of parts.entries())
    zip.addReadStreamLazy(name, { compress }, (handOver) => {
      added(at)
      open().then(
        (file) => handOver(null, file),
        (error: unknown) => handOver(error, undefined as never), // Its types do not know that there is no stream then.
      )
    })
  zip.end()
  return zip
}

/** Packs everything into a file of this machine; returns its size in bytes. */
async function pack(file: string, parts: readonly ExportPart[], added: (done: number) => void) {
  const zip = zipOf(parts, added)
  const broken = Promise.withResolvers<never>()
  zip.on('error', (error) => broken.reject(error))
  await Promise.race([
    pipeline(zip.outputStream, createWriteStream(file, { flags: 'wx', mode: 0o600 })),
    broken.promise,
  ])
  return (await fs.stat(file)).size
}

/** More often than this, in milliseconds, nobody looks. */
const toldEveryMs = 250

/** Writes how far a copy has come: now and then, beside the work. */
function progressOf(db: Database, exportId: number): (done: number) => void {
  let told = 0
  return (done) => {
    if (performance.now() - told < toldEveryMs) return
    told = performance.now()
    db.updateTable('data_exports')
      .set({ done })
      .where('id', '=', exportId)
      .where('status', '=', 'running')
      .execute()
      // The end is written by itself, and fails by itself.
      .catch(() => undefined)
  }
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

/** Writes that a copy is ready and lets its person know; false when nobody wants it any more. */
async function finish(
  { pool, clock, vault }: Archivist,
  exportId: number,
  made: { readonly key: string; readonly size: number },
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
        finished_at: now.toISOString(),
        expires_at: expires,
      }))
      .where('id', '=', exportId)
      .where('status', '=', 'running')
      .returning('client_id')
      .executeTakeFirst()
    if (done === undefined) return false
    const person = await tx
      .selectFrom('clients as c')
      .innerJoin('languages as l', 'l.id', 'c.language_id')
      .select(['c.email', 'c.first_name', 'l.code'])
      .where('c.id', '=', done.client_id)
      .executeTakeFirstOrThrow()
    await queueMail(
      { tx, vault },
      {
        to: person.email,
        language: person.code,
        letter: { kind: 'data-export-ready', name: person.first_name, until: expires },
      },
    )
    return true
  })
}

/**
 * Makes a copy of everything that is kept of a person, and tells them when it is there. Asked again it begins anew: half an
 * archive is none. On the `last` try it is written that it failed.
 */
export async function makeExport(
  archivist: Archivist,
  exportId: number,
  { last }: { readonly last: boolean },
): Promise<void> {
  const { pool, clock, storage } = archivist
  const db = pool.kysely
  const clientId = await begin(db, exportId)
  if (clientId === undefined) return
  const key = randomUUID()
  const file = path.join(storage.incoming, key)
  const making = async () => {
    const parts = await archivist.partsOf(clientId)
    await db.updateTable('data_exports').set({ total: parts.length }).where('id', '=', exportId).execute()
    const size = await pack(file, parts, progressOf(db, exportId))
    await storage.keep(key, file)
    if (!(await finish(archivist, exportId, { key, size }))) await storage.remove(key)
  }
  await making()
    .catch(async (error: unknown) => {
      await storage.remove(key)
      if (last)
        await db
          .updateTable('data_exports')
          .set({ status: 'failed', finished_at: clock.now().toISOString() })
          .where('id', '=', exportId)
          .where('status', '=', 'running')
          .execute()
      throw error
    })
    .finally(() => fs.rm(file, { force: true }))
}

/** Deletes copies whose time is over, and what is left of those that failed. */
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

/** Deletes every copy of a person, those that are being made included. */
export async function dropExports(tx: Database, clientId: number): Promise<void> {
  const gone = await tx
    .deleteFrom('data_exports')
    .where('client_id', '=', clientId)
    .returning('file_key')
    .execute()
  await removeFiles(tx, gone)
}
