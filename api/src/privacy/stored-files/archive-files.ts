import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import readline from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { CannotStart } from '#config/env.ts'
import { fileList } from '#platform/backup/check-archive.ts'
import type { Manifest } from '#platform/backup/manifest.ts'
import { explainDisk } from '#platform/backup/sentences.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import type { StoredFile, StoredFiles } from '#platform/files/stored-files.ts'
import { namedFiles } from './file-names.ts'
import { inLots } from './in-lots.ts'

type Copied = { readonly size: number; readonly sha256: string }

/** Writes a stream into a new file; returns its size in bytes and its SHA-256. */
async function copy(from: Readable, file: string): Promise<Copied> {
  const hash = createHash('sha256')
  let size = 0
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  await pipeline(from, counted, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  return { size, sha256: hash.digest('hex') }
}

const placeOf = (key: string) => `files/${key.slice(0, 2)}/${key}`

/** Copies one file; undefined when it is missing or damaged, which `tell` hears. */
async function keepFile(
  storage: Pick<FileStorage, 'read'>,
  { key, sha256, what }: StoredFile,
  folder: string,
  tell: (line: string) => void,
): Promise<Copied | undefined> {
  const file = path.join(folder, placeOf(key))
  const from = await storage.read(key)
  if (from === null) {
    tell(`missing: ${what} (${key})`)
    return undefined
  }
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const copied = await copy(from, file)
  if (sha256 === null || copied.sha256 === sha256) return copied
  await fs.rm(file)
  tell(`damaged: ${what} (${key})`)
  return undefined
}

/**
 * Copies every referenced file into an archive, after its tables: a key is written once, so what the tables
 * reference is there. A missing or damaged file is left out, counted, and passed to `tell` as a line.
 */
export async function archiveFiles(
  { pool, storage }: StoredFiles,
  folder: string,
  tell: (line: string) => void,
): Promise<Manifest['files']> {
  const list = createHash('sha256')
  const lines = createWriteStream(path.join(folder, fileList), { flags: 'wx', mode: 0o600, flush: true })
  const written = finished(lines)
  // A failure is reported when the list is complete.
  written.catch(() => undefined)
  const counts = { count: 0, bytes: 0, missing: 0 }
  const keep = async (file: StoredFile) => {
    const copied = await keepFile(storage, file, folder, tell)
    if (!copied) {
      counts.missing += 1
      return
    }
    counts.count += 1
    counts.bytes += copied.size
    const line = `${copied.sha256}  ${placeOf(file.key)}\n`
    list.update(line)
    lines.write(line)
  }
  await inLots(namedFiles(pool.kysely), keep).finally(() => lines.end())
  await written
  return { ...counts, sha256: list.digest('hex') }
}

/** Stores one file of an archive under its key. Throws `CannotStart` when it is missing or damaged. */
async function restoreFile(storage: FileStorage, folder: string, line: string): Promise<void> {
  const [, sha256, key] = /^([0-9a-f]{64}) {2}files\/[a-z0-9-]{2}\/([a-z0-9-]{8,64})$/.exec(line) ?? []
  if (key === undefined)
    throw new CannotStart(`The archive ${folder} is damaged: ${fileList} has the line ${line}`)
  const place = path.join(folder, placeOf(key))
  const arrived = path.join(storage.incoming, randomUUID())
  try {
    const copied = await copy(createReadStream(place), arrived).catch((error: NodeJS.ErrnoException) => {
      if (error.path !== place) throw error
      throw new CannotStart(`The archive ${folder} is incomplete: ${placeOf(key)} cannot be read.`)
    })
    if (copied.sha256 !== sha256)
      throw new CannotStart(`The archive ${folder} is damaged: ${placeOf(key)} does not match its SHA-256.`)
    await storage.keep(key, arrived)
  } finally {
    await fs.rm(arrived, { force: true })
  }
}

/**
 * Stores all files of an archive, before its tables: files without rows harm nothing and are swept later.
 * Throws `CannotStart` at the first that is missing or damaged. Repeating it is safe.
 */
export async function restoreFiles(storage: FileStorage, folder: string): Promise<void> {
  const lines = readline.createInterface({ input: createReadStream(path.join(folder, fileList)) })
  await inLots(lines, (line) => restoreFile(storage, folder, line)).catch((error: unknown) => {
    throw explainDisk(error, 'the file storage')
  })
}
