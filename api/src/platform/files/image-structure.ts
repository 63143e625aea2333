// Finds the end of an image by its own structure; trailing bytes may make it a polyglot file. A library such as sharp would decode
// what strangers send and compress it again; reading the structure changes no pixel and needs no native code.

const png = (bytes: Buffer): number | undefined => {
  let at = 8
  while (at + 12 <= bytes.length) {
    const next = at + 12 + bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return next
    at = next
  }
  return undefined
}

/**
 * The end of the compressed data that begins at `at`: the next marker that is neither stuffing nor a restart.
 */
export function afterScan(bytes: Buffer, at: number): number | undefined {
  for (let next = bytes.indexOf(0xff, at); next >= 0; next = bytes.indexOf(0xff, next + 1)) {
    const marker = bytes[next + 1] ?? 0
    if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return next
  }
  return undefined
}

const jpeg = (bytes: Buffer): number | undefined => {
  let at: number | undefined = 2
  while (at !== undefined && at + 4 <= bytes.length + 2 && bytes[at] === 0xff) {
    const marker: number = bytes[at + 1] ?? 0
    if (marker === 0xd9) return at + 2
    if (marker === 0xff) at += 1
    else {
      if (at + 4 > bytes.length) return undefined
      const end: number = at + 2 + bytes.readUInt16BE(at + 2)
      at = marker === 0xda ? afterScan(bytes, end) : end
    }
  }
  return undefined
}

export const tableSize = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** The end of a series of length-prefixed blocks, which an empty block terminates. */
export function afterBlocks(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1
  return at + 1
}

const gif = (bytes: Buffer): number | undefined => {
  let at = 13 + tableSize(bytes[10] ?? 0)
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x3b) return at + 1
    if (kind === 0x21) at = afterBlocks(bytes, at + 2)
    else if (kind === 0x2c) at = afterBlocks(bytes, at + 11 + tableSize(bytes[at + 9] ?? 0))
    else return undefined
  }
  return undefined
}

const webp = (bytes: Buffer): number | undefined => {
  if (bytes.length < 12) return undefined
  const size = bytes.readUInt32LE(4)
  return 8 + size + (size % 2)
}

const endOf: Readonly<Record<string, ((bytes: Buffer) => number | undefined) | undefined>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': webp,
}

/** Whether an image of this type is complete and has no trailing bytes; true for other types. */
export function isOnlyImage(mime: string, bytes: Buffer): boolean {
  const end = endOf[mime]
  return end === undefined || end(bytes) === bytes.length
}
