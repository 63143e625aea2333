import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CannotStart } from '#config/env.ts'
import { fileOf, type Manifest } from './manifest.ts'

/** The list of stored files in an archive, in the format of `sha256sum`. */
export const fileList = 'files.sha256'

async function sha256Of(file: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch {
    return undefined
  }
  return hash.digest('hex')
}

/** Compares every table of an archive, and the list of its files, with the manifest; throws `CannotStart`. */
export async function checkArchive(folder: string, { tables, files }: Manifest): Promise<void> {
  const named = tables.map((table) => ({ name: fileOf(table), sha256: table.sha256 }))
  if (files) named.push({ name: fileList, sha256: files.sha256 })
  for (const { name, sha256 } of named) {
    const found = await sha256Of(path.join(folder, name))
    if (found === undefined)
      throw new CannotStart(`The archive ${folder} is incomplete: ${name} cannot be read.`)
    if (found !== sha256)
      throw new CannotStart(`The archive ${folder} is damaged: ${name} does not match its SHA-256.`)
  }
}
