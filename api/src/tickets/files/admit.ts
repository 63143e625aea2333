import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { extensionOf, type FileExtension } from '@portico/contract/rules/tickets/ticket-files.ts'
import type { Pool } from '#platform/db/pool.ts'
import { Problem, refuse } from '#platform/errors/problem.ts'
import { contentType, stripFile } from '#platform/files/file-content.ts'
import type { FileParts } from '#platform/files/file-parts.ts'
import { storageFailed } from '#platform/files/stored-files.ts'
import { cleanName, type NewFile } from './files.ts'

export type AdmitParts = FileParts & { readonly pool: Pool }

/** The size and hash of a completely received file. */
type Received = { readonly size: number; readonly sha256: Buffer }

type Name = { readonly filename: string; readonly extension: FileExtension }

/** The name and extension of a file; undefined when the extension may not be attached. */
export function admittedName(sent: string): Name | undefined {
  const filename = cleanName(sent)
  const extension = extensionOf(filename)
  return extension === undefined ? undefined : { filename, extension }
}

/** Checks the content type and scans for malware. */
async function look({ pool, scanner }: AdmitParts, file: string, extension: FileExtension) {
  const mime = await contentType(file, extension).catch(storageFailed(pool.kysely))
  if (mime === undefined) throw refuse('upload_content_differs')
  const finding = await scanner(file).catch((error: unknown) => {
    throw refuse('files_not_checked', {}, { cause: error })
  })
  if (finding === 'infected') throw refuse('upload_infected')
  return { mime, finding }
}

/**
 * Admits a file from any source: receives its bytes, checks its type, scans it, removes its metadata, and
 * stores it. Throws a refusal of its content (4xx), or a transient failure (5xx); then nothing is stored.
 *
 * @param receive writes the bytes to a new file at this path.
 */
export async function admitFile(
  parts: AdmitParts,
  { filename, extension }: Name,
  receive: (file: string) => Promise<Received>,
): Promise<NewFile> {
  const { pool, storage } = parts
  const failed = storageFailed(pool.kysely)
  const key = randomUUID()
  const file = path.join(storage.incoming, key)
  try {
    const received = await receive(file)
    if (received.size === 0) throw refuse('upload_empty')
    const { mime, finding } = await look(parts, file, extension)
    const { size, sha256 } = (await stripFile(file, mime).catch(failed)) ?? received
    await storage.keep(key, file).catch(failed)
    return { filename, mime, size, sha256, key, finding }
  } finally {
    await fs.rm(file, { force: true })
  }
}

/**
 * Admits a file in memory; undefined for one that may not be attached. Throws when it cannot be checked at
 * the moment.
 */
export async function admitBytes(
  parts: AdmitParts,
  sent: string,
  content: Uint8Array,
): Promise<NewFile | undefined> {
  const name = admittedName(sent)
  if (name === undefined) return undefined
  const write = async (file: string) => {
    await fs.writeFile(file, content, { flag: 'wx', mode: 0o600 }).catch(storageFailed(parts.pool.kysely))
    return { size: content.byteLength, sha256: createHash('sha256').update(content).digest() }
  }
  return admitFile(parts, name, write).catch((error: unknown) => {
    if (error instanceof Problem && error.status < 500) return undefined
    throw error
  })
}
