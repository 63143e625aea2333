import path from 'node:path'
import { clamd, type FileScanner, noScanner } from './adapters/file-scanner.ts'
import { type FileStorage, localStorage } from './adapters/file-storage.ts'
import { s3Storage } from './adapters/s3-storage.ts'
import type { Env } from './env.ts'

/** Where files go, and who looks into them. */
export type FileDoor = { readonly storage: FileStorage; readonly scanner: FileScanner }

/** Where the configuration says that files go, and who it says looks into them. */
export async function fileDoor({
  dataDir,
  s3,
  clamd: at,
}: Pick<Env, 'dataDir' | 's3' | 'clamd'>): Promise<FileDoor> {
  const folder = path.join(dataDir, 'files')
  return {
    storage: await (s3 ? s3Storage(s3, folder) : localStorage(folder)),
    scanner: at ? clamd(at) : noScanner,
  }
}
