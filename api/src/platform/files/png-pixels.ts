import { promisify } from 'node:util'
import { inflate } from 'node:zlib'

/** The bytes of a pixel of 8 bits, by the colour type. */
const channels: Readonly<Record<number, number | undefined>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The compressed pixels, which may be in several chunks. */
function compressed(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  return Buffer.concat(parts)
}

/**
 * Whether the pixels of a PNG of 8 bits without interlacing can be read: as many as its head says, and no more. A renderer that
 * finds others may end its thread, or fill the memory.
 */
export async function hasPixels(bytes: Buffer): Promise<boolean> {
  const [width, height, colours] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[25] ?? 0]
  const row = 1 + width * (channels[colours] ?? Number.NaN)
  if (Number.isNaN(row)) return false
  const pixels = await promisify(inflate)(compressed(bytes), { maxOutputLength: row * height }).catch(
    () => undefined,
  )
  if (pixels?.length !== row * height) return false
  // Each row begins with one of five filters.
  for (let at = 0; at < pixels.length; at += row) if ((pixels[at] ?? 5) > 4) return false
  return true
}
