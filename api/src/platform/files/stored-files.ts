import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import pg from 'pg'
import { alertStaff } from '#platform/alerts.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { Problem, refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { FileStorage } from './file-storage.ts'
import { storageAway, storageProblem } from './storage-problem.ts'

/** A reference to a stored file in the database. */
export type StoredFile = {
  readonly key: string
  /** In hexadecimal. Null for files from before it was recorded: their content is not compared. */
  readonly sha256: string | null
  /** The label of the file, used in its alert: `document EX-1.pdf`. */
  readonly what: string
  /** Set for a document, which is generated again when its file is missing. */
  readonly invoiceId?: number
}

type Read = Pick<FileStorage, 'read'>
export type StoredFiles = { readonly pool: Pool; readonly storage: Read }

type Inspected =
  /** `bytes`: null when the file is too large to hold. */
  | { readonly state: 'whole'; readonly bytes: Buffer | null }
  | { readonly state: 'damaged'; readonly found: string }
  | { readonly state: 'missing' }

/** A file up to this size in bytes is sent from memory; a larger one is read a second time. */
const mostHeld = 1_048_576

/** Reads a whole file and compares it with its SHA-256; holds it up to a size. Throws `storage_unavailable`. */
export async function inspectFile(
  storage: Read,
  { key, sha256 }: StoredFile,
  most = mostHeld,
): Promise<Inspected> {
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let size = 0
  const readAll = async () => {
    const file = await storage.read(key)
    if (file === null) return false
    for await (const chunk of file) {
      hash.update(chunk)
      size += chunk.length
      if (size <= most) chunks.push(chunk)
    }
    return true
  }
  const isThere = await readAll().catch((cause: unknown) => {
    throw storageAway(cause)
  })
  if (!isThere) return { state: 'missing' }
  const found = hash.digest('hex')
  if (sha256 !== null && found !== sha256) return { state: 'damaged', found }
  return { state: 'whole', bytes: size <= most ? Buffer.concat(chunks) : null }
}

/**
 * Sends the last bytes only when the whole file still matches, so that an altered file never arrives
 * complete.
 */
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

/** Alerts staff about a damaged or missing file; returns the reason for the response and the log. */
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
          cause: new Error(`The file ${key} (${what}) is missing.`),
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

/** The reason why a file cannot be sent; null when it is intact. Throws `storage_unavailable`. */
export async function faultOf({ pool, storage }: StoredFiles, file: StoredFile): Promise<Problem | null> {
  const seen = await inspectFile(storage, file)
  return seen.state === 'whole' ? null : reportFile(pool.kysely, file, seen)
}

/**
 * Opens a file after comparing it with its SHA-256. Throws `file_damaged`, `file_missing` and
 * `storage_unavailable`; the first two also alert staff.
 */
export async function openFile({ pool, storage }: StoredFiles, file: StoredFile): Promise<Readable> {
  const seen = await inspectFile(storage, file)
  if (seen.state !== 'whole') throw await reportFile(pool.kysely, file, seen)
  return Readable.from(seen.bytes ? [seen.bytes] : readAgain(storage, file), { objectMode: false })
}

/** The verified content of a file; null when it is larger than a mebibyte. Throws like `openFile`. */
export async function heldFile({ pool, storage }: StoredFiles, file: StoredFile): Promise<Buffer | null> {
  const seen = await inspectFile(storage, file)
  if (seen.state !== 'whole') throw await reportFile(pool.kysely, file, seen)
  return seen.bytes
}

/**
 * Turns a storage failure into a refusal, and alerts staff about a full storage; rethrows any other error.
 */
export const storageFailed =
  (db: Database) =>
  async (cause: unknown): Promise<never> => {
    const problem = storageProblem(cause)
    // The database may be on the same full disk: a failed alert must not hide the cause.
    if (problem?.code === 'storage_full')
      await alertStaff(db, 'files', 'storage_full', { said: String(cause) }).catch(() => undefined)
    throw problem ?? cause
  }

/**
 * Whether the transaction was certainly rolled back; after a lost connection (08, 57P) or an error without a
 * code this is unknown.
 */
const isUndone = (error: unknown): boolean =>
  error instanceof Problem || (error instanceof pg.DatabaseError && !/^(?:08|57P)/.test(error.code ?? '08'))

/** Removes a file whose row was rejected. If the row may exist nevertheless, the sweep decides. */
export async function dropRefused(
  storage: Pick<FileStorage, 'remove'>,
  key: string,
  error: unknown,
): Promise<void> {
  // The sweep removes a file that cannot be removed now.
  if (isUndone(error)) await storage.remove(key).catch(() => undefined)
}
