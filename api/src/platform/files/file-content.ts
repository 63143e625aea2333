import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import type { FileExtension } from '@portico/contract/rules/tickets/ticket-files.ts'
import limit from 'p-limit'
import { withoutMetadata } from './image-metadata.ts'
import { isOnlyImage } from './image-structure.ts'

/** The allowed attachments, by file extension. Types without a signature in their bytes are text. */
const kinds: Readonly<Record<FileExtension, { mime: string; isText?: true }>> = {
  png: { mime: 'image/png' },
  jpg: { mime: 'image/jpeg' },
  jpeg: { mime: 'image/jpeg' },
  webp: { mime: 'image/webp' },
  gif: { mime: 'image/gif' },
  pdf: { mime: 'application/pdf' },
  zip: { mime: 'application/zip' },
  txt: { mime: 'text/plain', isText: true },
  log: { mime: 'text/plain', isText: true },
  csv: { mime: 'text/csv', isText: true },
  json: { mime: 'application/json', isText: true },
}

// A text file must not be rendered as a page when a browser opens it, whatever its media type.
const page = /^[\s\uFEFF]*<(?:!doctype|html|head|body|script|svg|iframe|\?xml|!--)/i

const isPlainText = (bytes: Buffer): boolean =>
  isUtf8(bytes) && !bytes.includes(0) && !page.test(bytes.toString('utf8', 0, 1000))

/** The end-of-archive record of ZIP; a comment of up to 65535 bytes may follow it. */
const endOfZip = Buffer.from('PK\x05\x06', 'latin1')
const longestComment = 65_535

function endsAsZip(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf(endOfZip)
  return at >= 0 && at + 22 <= bytes.length && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length
}

const hasZipBehind = (bytes: Buffer): boolean =>
  bytes.subarray(-(longestComment + 22)).lastIndexOf(endOfZip) >= 0

const whole: Readonly<Record<string, ((bytes: Buffer) => boolean) | undefined>> = {
  'application/pdf': (bytes) =>
    bytes.toString('latin1', 0, 5) === '%PDF-' &&
    bytes.subarray(-1024).includes('%%EOF') &&
    !hasZipBehind(bytes),
  'application/zip': (bytes) => bytes.toString('latin1', 0, 2) === 'PK' && endsAsZip(bytes),
}

async function typeOf(bytes: Buffer, extension: FileExtension): Promise<string | undefined> {
  const kind = kinds[extension]
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes)
  if (kind.isText) return found === undefined && isPlainText(bytes) ? kind.mime : undefined
  if (found?.mime !== kind.mime || !isOnlyImage(kind.mime, bytes)) return undefined
  return whole[kind.mime]?.(bytes) === false ? undefined : kind.mime
}

// A file is checked in memory as a whole, so only a few are checked at a time.
const few = limit(2)

/**
 * The media type of a file whose content matches its extension and is no polyglot; undefined when it may not
 * be attached. The file has to fit in memory.
 */
export const contentType = (file: string, extension: FileExtension): Promise<string | undefined> =>
  few(async () => typeOf(await fs.readFile(file), extension))

/** Removes the metadata of an image and returns the stripped file; undefined when nothing was removed. */
export const stripFile = (
  file: string,
  mime: string,
): Promise<{ size: number; sha256: Buffer } | undefined> =>
  few(async () => {
    if (!mime.startsWith('image/')) return undefined
    const bytes = await fs.readFile(file)
    const stripped = withoutMetadata(mime, bytes)
    if (stripped === undefined || stripped.length === bytes.length) return undefined
    await fs.writeFile(file, stripped)
    return { size: stripped.length, sha256: createHash('sha256').update(stripped).digest() }
  })
