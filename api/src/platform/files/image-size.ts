/** The size and type of an image, from its header. */
export type ImageHead = {
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** Whether documents can show it. */
  readonly prints: boolean
}

function png(bytes: Buffer): ImageHead {
  const [depth, interlace] = [bytes[24], bytes[28]]
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    prints: depth === 8 && interlace === 0,
  }
}

const noFrames = new Set([0xc4, 0xc8, 0xcc])

function jpeg(bytes: Buffer): ImageHead | undefined {
  for (let at = 2; at + 10 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (marker >= 0xc0 && marker <= 0xcf && !noFrames.has(marker)) {
      const parts = bytes[at + 9]
      return {
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        // Four parts are the inks of a press, which viewers show in other colours.
        prints: parts === 1 || parts === 3,
      }
    } else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function webp(bytes: Buffer): ImageHead | undefined {
  if (bytes.length < 30) return undefined
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X')
    return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3), prints: false }
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff), prints: false }
  }
  return {
    width: bytes.readUInt16LE(26) & 0x3fff,
    height: bytes.readUInt16LE(28) & 0x3fff,
    prints: false,
  }
}

const readers: Readonly<Record<string, ((bytes: Buffer) => ImageHead | undefined) | undefined>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/webp': webp,
}

/** The size of a complete image of this media type; undefined where its head does not say it. */
export const imageHead = (mime: string, bytes: Buffer): ImageHead | undefined => readers[mime]?.(bytes)
