import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { usageKeyAt, usagePlaceOf, usagePlaces } from './places.ts'

/** A file storage. Keys are random, of letters, digits and dashes, and chosen by the portal. */
export type FileStorage = {
  /** The folder for incoming files, which `keep` may move. */
  readonly incoming: string
  /** Stores a complete local file under a key; once it resolves, the file survives a power failure. */
  readonly keep: (key: string, file: string) => Promise<void>
  /** Null when there is no such file. */
  readonly read: (key: string) => Promise<Readable | null>
  /** Removing an absent file is no failure. */
  readonly remove: (key: string) => Promise<void>
  /** Every stored file with its time of writing. */
  readonly list: () => AsyncIterable<{ readonly key: string; readonly writtenAt: Date }>
  /** Removes files from `incoming` that were last written before a moment; returns their number. */
  readonly sweepIncoming: (before: Date) => Promise<number>
  /** Whether an overwritten or removed file can be brought back. */
  readonly keepsVersions: () => Promise<boolean>
}

async function sync(target: string): Promise<void> {
  const handle = await fs.open(target, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

async function* filesIn(folder: string) {
  for (const shard of await fs.readdir(folder)) {
    if (shard.length !== 2) continue
    for (const key of await fs.readdir(path.join(folder, shard))) {
      // A file may be removed while the folder is listed.
      const stat = await fs.stat(path.join(folder, shard, key)).catch(nullIfMissing)
      if (stat) yield { key, writtenAt: stat.mtime }
    }
  }
}

async function* usageIn(folder: string) {
  for (const day of (await fs.readdir(path.join(folder, usagePlaces)).catch(nullIfMissing)) ?? []) {
    const place = `${usagePlaces}${day}/0.parquet`
    const key = usageKeyAt(place)
    const stat = key && (await fs.stat(path.join(folder, place)).catch(nullIfMissing))
    if (key && stat) yield { key, writtenAt: stat.mtime }
  }
}

/** Removes the files of a folder that were last written before a moment; returns their number. */
export async function removeOlder(folder: string, before: Date): Promise<number> {
  let removed = 0
  for (const name of await fs.readdir(folder)) {
    const file = path.join(folder, name)
    const stat = await fs.stat(file).catch(nullIfMissing)
    if (stat === null || stat.mtime >= before) continue
    await fs.rm(file, { force: true })
    removed += 1
  }
  return removed
}

/** Stores files in a local folder, in subfolders named by the first two letters of the key, and archives of usage by their day. */
export async function localStorage(folder: string): Promise<FileStorage> {
  const incoming = path.join(folder, 'incoming')
  await fs.mkdir(incoming, { recursive: true, mode: 0o700 })
  const placeOf = (key: string) => {
    if (!/^[a-z0-9-]{8,64}$/.test(key)) throw new Error('Invalid file key.')
    return path.join(folder, usagePlaceOf(key) ?? path.join(key.slice(0, 2), key))
  }
  return {
    incoming,
    keep: async (key, file) => {
      const place = placeOf(key)
      await fs.mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
      // Content first, then the directory entry: a crash leaves the whole file or none.
      await sync(file)
      await fs.rename(file, place)
      await sync(path.dirname(place))
    },
    read: async (key) => {
      const handle = await fs.open(placeOf(key), 'r').catch(nullIfMissing)
      return handle && createReadStream('', { fd: handle })
    },
    remove: (key) => fs.rm(placeOf(key), { force: true }),
    list: async function* () {
      yield* filesIn(folder)
      yield* usageIn(folder)
    },
    sweepIncoming: (before) => removeOlder(incoming, before),
    keepsVersions: async () => false,
  }
}
