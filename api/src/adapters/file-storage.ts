import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'

/** Where files are kept. A key is random, of letters, digits and dashes, and chosen by the portal. */
export type FileStorage = {
  /** Where files are while they arrive; those in it may be moved by `keep`. */
  readonly incoming: string
  /** Keeps a whole file of this machine under a key; when it resolves, a loss of power does not lose it. */
  readonly keep: (key: string, file: string) => Promise<void>
  /** Rejects when there is no such file. */
  readonly read: (key: string) => Promise<Readable>
  /** Removing what is not there is no failure. */
  readonly remove: (key: string) => Promise<void>
}

async function sync(target: string): Promise<void> {
  const handle = await fs.open(target, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Files in a folder of this machine, in subfolders of their key's first two letters. */
export async function localStorage(folder: string): Promise<FileStorage> {
  const incoming = path.join(folder, 'incoming')
  await fs.mkdir(incoming, { recursive: true, mode: 0o700 })
  const placeOf = (key: string) => {
    if (!/^[a-z0-9-]{8,64}$/.test(key)) throw new Error('This is no key of a file.')
    return path.join(folder, key.slice(0, 2), key)
  }
  return {
    incoming,
    keep: async (key, file) => {
      const place = placeOf(key)
      await fs.mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
      // First what is in it, then that it is there: a crash leaves the whole file or none.
      await sync(file)
      await fs.rename(file, place)
      await sync(path.dirname(place))
    },
    read: async (key) => {
      const handle = await fs.open(placeOf(key), 'r')
      return createReadStream('', { fd: handle })
    },
    remove: (key) => fs.rm(placeOf(key), { force: true }),
  }
}
