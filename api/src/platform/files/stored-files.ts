import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import pg from 'pg'
import { alertStaff } from '#platform/alerts.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { Problem, refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { FileStorage } from './file-storage.ts'
import { storageAway, storageProblem } from './storage-problem.ts'

/** A file as the database names it. */
export type StoredFile = {
  readonly key: string
  /** In hexadecimal. Null for a file of before it was kept: then the content is not compared. */
  readonly sha256: string | null
  /** What it is, in the words that an alert is kept under: `document EX-1.pdf`. */
  readonly what: string
  /** Of a document, whose missing files are made again. */
  readonly invoiceId?: number
}

type Read = Pick<FileStorage, 'read'>
export type StoredFiles = { readonly pool: Pool; readonly storage: Read }

type Inspected =
  /** `bytes`: null when there are too many to hold. */
  | { readonly state: 'whole'; readonly bytes: Buffer | null }
  | { readonly state: 'damaged'; readonly found: string }
  | { readonly state: 'missing' }

/** Up to this a file is sent from memory; a larger one is read a second time. */
const mostHeld = 1_048_576

/** Reads a whole file and compares it with its SHA-256. Throws `storage_unavailable`. */
export async function inspectFile(storage: Read, { key, sha256 }: StoredFile): Promise<Inspected> {
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let size = 0
  const readAll = async () => {
    const file = await storage.read(key)
    if (file === null) return false
    for await (const chunk of file) {
      hash.update(chunk)
      size += chunk.length
      if (size <= mostHeld) chunks.push(chunk)
    }
    return true
  }
  const isThere = await readAll().catch((cause: unknown) => {
    throw storageAway(cause)
  })
  if (!isThere) return { state: 'missing' }
  const found = hash.digest('hex')
  if (sha256 !== null && found !== sha256) return { state: 'damaged', found }
  return { state: 'whole', bytes: size <= mostHeld ? Buffer.concat(chunks) : null }
}

/** Sends the last bytes only when the whole is still what it was, so that an altered file never arrives complete. */
async function* readAgain(storage: Read, { key, sha256 }: StoredFile): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  for await (const chunk of (await storage.read(key)) ?? []) {
    hash.update(chunk)
    if (held) yield held
    held = chunk
  }
  if (sha256 !== null && hash.digest('hex') !== sha256)
    throw new Error(`The file ${key} changed while it was sent.`)
  if (held) yield held
}

/** Leaves a file that is damaged or missing to staff; returns why it cannot be sent, for the log as well. */
async function reportFile(db: Database, file: StoredFile, seen: Exclude<Inspected, { state: 'whole' }>) {
  const { key, sha256, what, invoiceId } = file
  const isMissing = seen.state === 'missing'
  await alertStaff(db, what, isMissing ? 'file_missing' : 'file_damaged', {
    key,
    sha256,
    ...(!isMissing && { found: seen.found }),
  })
  if (isMissing && invoiceId !== undefined)
    await enqueue(db, 'invoice.remake', { invoiceId }, { key: `invoice.remake:${invoiceId}` })
  return isMissing
    ? refuse(
        'file_missing',
        {},
        {
          cause: new Error(`There is no file ${key} (${what}).`),
        },
      )
    : refuse(
        'file_damaged',
        {},
        {
          cause: new Error(`The file ${key} (${what}) has the SHA-256 ${seen.found}, not ${sha256}.`),
        },
      )
}

/** Why a file cannot be sent; null when it is what was kept. Throws `storage_unavailable`. */
export async function faultOf({ pool, storage }: StoredFiles, file: StoredFile): Promise<Problem | null> {
  const seen = await inspectFile(storage, file)
  return seen.state === 'whole' ? null : reportFile(pool.kysely, file, seen)
}

/**
 * Opens a file whose content was compared with its SHA-256. Throws `file_damaged`, `file_missing` when it is missing, and
 * `storage_unavailable`; the first two are left to staff as well.
 */
export async function openFile({ pool, storage }: StoredFiles, file: StoredFile): Promise<Readable> {
  const seen = await inspectFile(storage, file)
  if (seen.state !== 'whole') throw await reportFile(pool.kysely, file, seen)
  return Readable.from(seen.bytes ? [seen.bytes] : readAgain(storage, file), { objectMode: false })
}

/** The content of a file, compared as by `openFile`; null when it is larger than a mebibyte. Throws as `openFile` does. */
export async function heldFile({ pool, storage }: StoredFiles, file: StoredFile): Promise<Buffer | null> {
  const seen = await inspectFile(storage, file)
  if (seen.state !== 'whole') throw await reportFile(pool.kysely, file, seen)
  return seen.bytes
}

/** Turns a failure of the storage into a refusal, and leaves a full one to staff; any other error is thrown as it is. */
export const storageFailed =
  (db: Database) =>
  async (cause: unknown): Promise<never> => {
    const problem = storageProblem(cause)
    // The disk may be the database's too: an alert that cannot be written must not hide why.
    if (problem?.code === 'storage_full')
      await alertStaff(db, 'files', 'storage_full', { said: String(cause) }).catch(() => undefined)
    throw problem ?? cause
  }

/** Whether the transaction was undone for sure: of a lost connection (08, 57P) or an error without a code nobody knows. */
const isUndone = (error: unknown): boolean =>
  error instanceof Problem || (error instanceof pg.DatabaseError && !/^(?:08|57P)/.test(error.code ?? '08'))

/** Removes a file whose row was refused. Where the row may be there all the same, the sweep decides. */
export async function dropRefused(
  storage: Pick<FileStorage, 'remove'>,
  key: string,
  error: unknown,
): Promise<void> {
  // What cannot be removed now is removed as a leftover.
  if (isUndone(error)) await storage.remove(key).catch(() => undefined)
}
