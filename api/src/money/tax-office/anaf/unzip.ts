import { crc32, inflateRawSync } from 'node:zlib'
import { mostUploadBytes } from '#money/tax-office/limits.ts'
import { OfficeError } from '#money/tax-office/tax-office.ts'

const endOfDirectory = 0x06054b50
const entryOfDirectory = 0x02014b50
const localEntry = 0x04034b50
const sizeOfEnd = 22
const longestComment = 65_535

/** The signed archive has two files: an upload, and a signature that is far smaller than a megabyte. */
const mostFiles = 10
const mostBytes = mostUploadBytes + 1_048_576

const wrong = (what: string, cause?: unknown) =>
  new OfficeError('answer_wrong', null, new Error(`The ZIP is wrong: ${what}.`, { cause }))

function endOf(zip: Buffer): number {
  for (let at = zip.length - sizeOfEnd; at >= Math.max(0, zip.length - sizeOfEnd - longestComment); at--)
    if (zip.readUInt32LE(at) === endOfDirectory) return at
  throw wrong('it has no end')
}

function contentOf(zip: Buffer, at: number): Buffer {
  const [method, crc, packedSize, size] = [
    zip.readUInt16LE(at + 10),
    zip.readUInt32LE(at + 16),
    zip.readUInt32LE(at + 20),
    zip.readUInt32LE(at + 24),
  ]
  const local = zip.readUInt32LE(at + 42)
  if (size > mostBytes) throw wrong('a file is too large')
  if (zip.readUInt32LE(local) !== localEntry) throw wrong('a file is missing')
  const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const packed = zip.subarray(begin, begin + packedSize)
  if (method !== 0 && method !== 8) throw wrong('an unknown compression')
  // The limit holds whatever the directory says about the size.
  const bytes = method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: mostBytes })
  if (bytes.length !== size || crc32(bytes) !== crc) throw wrong('a file is damaged')
  return bytes
}

function filesOf(zip: Buffer): Map<string, Buffer> {
  const end = endOf(zip)
  const count = zip.readUInt16LE(end + 10)
  if (count > mostFiles) throw wrong('too many files')
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  let total = 0
  for (let left = count; left > 0; left--) {
    if (zip.readUInt32LE(at) !== entryOfDirectory) throw wrong('its directory')
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28)
    const content = contentOf(zip, at)
    // Entries may share the same packed bytes, so that a small archive holds each of them at its largest.
    total += content.length
    if (total > mostBytes) throw wrong('its files are too large')
    files.set(zip.toString('utf8', at + 46, nameEnd), content)
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}

/** The files of a small ZIP by name, which is never used as a path. Throws `OfficeError` for anything else. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  try {
    return filesOf(zip)
  } catch (error) {
    throw error instanceof OfficeError ? error : wrong('it is cut off or damaged', error)
  }
}
