import { crc32, deflateSync } from 'node:zlib'

function chunk(kind: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, check])
}

type Made = {
  readonly interlaced?: boolean
  /** A comment in its metadata. */
  readonly text?: string
  /** The colour type; 2: without transparency. */
  readonly colours?: number
  /** The compressed pixels, in place of those of one colour. */
  readonly pixels?: Buffer
}

/** A PNG of this size, in one colour. */
export function pngOf(
  width: number,
  height: number,
  { interlaced = false, text = '', colours = 2, pixels }: Made = {},
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, colours, 0, 0, interlaced ? 1 : 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(3 * width, 0x7a)])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    ...(text === '' ? [] : [chunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))]),
    chunk('IDAT', pixels ?? deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
