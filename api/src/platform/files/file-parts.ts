import path from 'node:path'
import type { Env } from '#config/env.ts'
import { clamd, type FileScanner, noScanner } from './file-scanner.ts'
import { type FileStorage, localStorage } from './file-storage.ts'
import { s3Storage } from './s3-storage.ts'

/** The storage and the malware scanner of files. */
export type FileParts = { readonly storage: FileStorage; readonly scanner: FileScanner }

/** The storage and the scanner of the configuration. */
export async function filePartsOf({
  dataDir,
  s3,
  clamd: at,
}: Pick<Env, 'dataDir' | 's3' | 'clamd'>): Promise<FileParts> {
  const folder = path.join(dataDir, 'files')
  return {
    storage: await (s3 ? s3Storage(s3, folder) : localStorage(folder)),
    scanner: at ? clamd(at) : noScanner,
  }
}
