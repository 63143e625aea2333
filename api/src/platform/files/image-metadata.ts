import { afterBlocks, afterScan, tableSize } from './image-structure.ts'

// Removes metadata from images, such as place, author and software, by cutting it out of the file structure.
// The picture itself is unchanged, so it is not recompressed. The images are complete: `isOnlyImage` has
// checked them.

/** The orientation (TIFF 6.0, tag 274) from the body of an `Exif` segment; 1 is upright. */
function orientationOf(exif: Buffer): number {
  const tiff = exif.subarray(6)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const [read16, read32] = little
    ? [tiff.readUInt16LE.bind(tiff), tiff.readUInt32LE.bind(tiff)]
    : [tiff.readUInt16BE.bind(tiff), tiff.readUInt32BE.bind(tiff)]
  if (tiff.length < 14) return 1
  const directory = read32(4)
  if (directory + 2 > tiff.length) return 1
  for (let at = directory + 2, left = read16(directory); left > 0 && at + 12 <= tiff.length; at += 12, left--)
    if (read16(at) === 274) return read16(at + 8)
  return 1
}

/** An Exif segment with only the orientation, without which a rotated picture would be shown sideways. */
function directionAlone(orientation: number): Buffer {
  const segment = Buffer.from(
    'ffe10022457869660000 4d4d002a00000008 0001 0112 0003 00000001 00000000 00000000'.replaceAll(' ', ''),
    'hex',
  )
  segment.writeUInt16BE(orientation, segment.length - 8)
  return segment
}

const isExif = (body: Buffer) => body.toString('latin1', 0, 6) === 'Exif\0\0'
const isProfile = (body: Buffer) => body.toString('latin1', 0, 12) === 'ICC_PROFILE\0'

/** The replacement of a JPEG segment. Tables, colour profiles and the orientation are kept. */
function keptOf(marker: number, segment: Buffer): Buffer | undefined {
  const body = segment.subarray(4)
  if (marker === 0xe1 && isExif(body)) {
    const orientation = orientationOf(body)
    return orientation > 1 && orientation <= 8 ? directionAlone(orientation) : undefined
  }
  if (marker === 0xe2) return isProfile(body) ? segment : undefined
  const isSpoken = marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xee)
  return isSpoken ? undefined : segment
}

function jpeg(bytes: Buffer): Buffer[] {
  const parts = [bytes.subarray(0, 2)]
  let at = 2
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (marker === 0xda) {
      const next = afterScan(bytes, end) ?? bytes.length
      parts.push(bytes.subarray(at, next))
      at = next
    } else {
      const kept = keptOf(marker, bytes.subarray(at, end))
      if (kept) parts.push(kept)
      at = end
    }
  }
  return [...parts, bytes.subarray(at)]
}

const spokenInPng = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])

function png(bytes: Buffer): Buffer[] {
  const parts = [bytes.subarray(0, 8)]
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (!spokenInPng.has(bytes.toString('latin1', at + 4, at + 8))) parts.push(bytes.subarray(at, end))
    at = end
  }
  return parts
}

/** Whether a GIF extension is a comment or application data, except for the loop count of an animation. */
const isSpokenInGif = (bytes: Buffer, at: number): boolean =>
  bytes[at + 1] === 0xfe ||
  (bytes[at + 1] === 0xff && bytes.toString('latin1', at + 3, at + 14) !== 'NETSCAPE2.0')

function gif(bytes: Buffer): Buffer[] {
  let at = 13 + tableSize(bytes[10] ?? 0)
  const parts = [bytes.subarray(0, at)]
  while (at < bytes.length && bytes[at] !== 0x3b) {
    const isExtension = bytes[at] === 0x21
    const end = afterBlocks(bytes, isExtension ? at + 2 : at + 11 + tableSize(bytes[at + 9] ?? 0))
    if (!isExtension || !isSpokenInGif(bytes, at)) parts.push(bytes.subarray(at, end))
    at = end
  }
  return [...parts, bytes.subarray(at)]
}

/** The bits in the WebP header that announce EXIF and XMP. */
const announced = 0x0c

function webp(bytes: Buffer): Buffer[] {
  const head = Buffer.from(bytes.subarray(0, 12))
  const parts = [head]
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4)
    const end = at + 8 + size + (size % 2)
    const part = Buffer.from(bytes.subarray(at, end))
    const kind = part.toString('latin1', 0, 4)
    if (kind === 'VP8X' && part.length > 8) part[8] = (part[8] ?? 0) & ~announced
    if (kind !== 'EXIF' && kind !== 'XMP ') parts.push(part)
    at = end
  }
  head.writeUInt32LE(parts.reduce((all, { length }) => all + length, 0) - 8, 4)
  return parts
}

const strippers: Readonly<Record<string, ((bytes: Buffer) => Buffer[]) | undefined>> = {
  'image/jpeg': jpeg,
  'image/png': png,
  'image/gif': gif,
  'image/webp': webp,
}

/** A complete image without its metadata; undefined for other files. */
export function withoutMetadata(mime: string, bytes: Buffer): Buffer | undefined {
  const parts = strippers[mime]?.(bytes)
  return parts && Buffer.concat(parts)
}
