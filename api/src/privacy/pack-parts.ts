import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file of the archive, opened when it is its turn. */
export type ExportPart = {
  readonly name: string
  /** False for files that are already compressed. */
  readonly compress: boolean
  readonly open: () => Promise<Readable>
}

/** Adds the parts one after another, each opened after the previous one, and reports the number so far. */
function zipOf(parts: readonly ExportPart[], added: (done: number) => void): ZipFile {
  const zip = new ZipFile()
  for (const [at, { name, compress, open }] of parts.entries())
    zip.addReadStreamLazy(name, { compress }, (handOver) => {
      added(at)
      open().then(
        (file) => handOver(null, file),
        (error: unknown) => handOver(error, undefined as never), // Its types lack the call without a stream.
      )
    })
  zip.end()
  return zip
}

/** The packed archive: its size in bytes, and its SHA-256 in hexadecimal. */
export type Packed = { readonly size: number; readonly sha256: string }

/** Packs all parts into a local file. */
export async function packParts(
  file: string,
  parts: readonly ExportPart[],
  added: (done: number) => void,
): Promise<Packed> {
  const zip = zipOf(parts, added)
  const hash = createHash('sha256')
  let size = 0
  const hashed = async function* (chunks: AsyncIterable<Buffer | string>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  const broken = Promise.withResolvers<never>()
  zip.on('error', (error) => broken.reject(error))
  await Promise.race([
    pipeline(zip.outputStream, hashed, createWriteStream(file, { flags: 'wx', mode: 0o600 })),
    broken.promise,
  ])
  return { size, sha256: hash.digest('hex') }
}
