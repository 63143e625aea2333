import { fileTypeFromBuffer } from 'file-type'
import { expect, test } from 'vitest'
import { withoutMetadata } from './image-metadata.ts'
import { isOnlyImage } from './image-structure.ts'

const secret = 'GPS 44.4268 N 26.1025 E'

const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** A segment as a camera writes it: held sideways (6), and where. */
const exif = (order: 'II' | 'MM', orientation: number): Buffer => {
  const tiff = Buffer.alloc(26)
  tiff.write(order, 'latin1')
  const write16 = order === 'II' ? tiff.writeUInt16LE.bind(tiff) : tiff.writeUInt16BE.bind(tiff)
  const write32 = order === 'II' ? tiff.writeUInt32LE.bind(tiff) : tiff.writeUInt32BE.bind(tiff)
  write16(42, 2)
  write32(8, 4)
  write16(1, 8)
  write16(274, 10)
  write16(3, 12)
  write32(1, 14)
  write16(orientation, 18)
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from(secret)]))
}

const plainJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA//9k=',
  'base64',
)
const profile = segment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01colours'))
const jpeg = (...segments: Buffer[]) =>
  Buffer.concat([plainJpeg.subarray(0, 2), ...segments, plainJpeg.subarray(2)])

const chunk = (type: string, data: string | Buffer): Buffer => {
  const body = Buffer.from(data)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, Buffer.from(type), body, Buffer.alloc(4)])
}
const png = (...chunks: Buffer[]) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('00000001000000010802000000', 'hex')),
    ...chunks,
    chunk('IDAT', 'pixels'),
    chunk('IEND', ''),
  ])

const riff = (type: string, data: string | Buffer): Buffer => {
  const body = Buffer.from(data)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(type), size, body, Buffer.alloc(body.length % 2)])
}
const webp = (flags: number, ...chunks: Buffer[]): Buffer => {
  const head = Buffer.alloc(10)
  head[0] = flags
  return riff(
    'RIFF',
    Buffer.concat([Buffer.from('WEBP'), riff('VP8X', head), riff('VP8 ', 'pixels'), ...chunks]),
  )
}

const gifHead = Buffer.from('474946383961010001008000000000 00ffffff'.replace(' ', ''), 'hex')
const gifImage = Buffer.from('2c00000000010001000002024401003b', 'hex')
const block = (label: number, ...blocks: string[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x21, label]),
    ...blocks.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')])),
    Buffer.from([0]),
  ])
const loop = block(0xff, 'NETSCAPE2.0', '\x01\0\0')
const gif = (...blocks: Buffer[]) => Buffer.concat([gifHead, ...blocks, gifImage])

test.each<[string, string, Buffer, Buffer]>([
  [
    'JPEG',
    'image/jpeg',
    jpeg(
      exif('MM', 1),
      segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${secret}`)),
      profile,
      segment(0xed, Buffer.from(secret)),
      segment(0xfe, Buffer.from(secret)),
    ),
    jpeg(profile),
  ],
  [
    'PNG',
    'image/png',
    png(chunk('eXIf', secret), chunk('tEXt', `Comment\0${secret}`), chunk('iTXt', secret)),
    png(),
  ],
  ['WebP', 'image/webp', webp(0x1c, riff('EXIF', secret), riff('XMP ', secret)), webp(0x10)],
  ['GIF', 'image/gif', gif(loop, block(0xfe, secret), block(0xff, 'XMP DataXMP', secret)), gif(loop)],
])('a %s loses its metadata and keeps its picture', async (_, mime, original, shown) => {
  expect(isOnlyImage(mime, original)).toBe(true)
  const stripped = withoutMetadata(mime, original)
  expect(stripped).toEqual(shown)
  expect(isOnlyImage(mime, shown)).toBe(true)
  expect((await fileTypeFromBuffer(shown))?.mime).toBe(mime)
})

test.each(['II', 'MM'] as const)(
  'a picture that was held sideways still is, and says nothing else (%s)',
  (order) => {
    const stripped = withoutMetadata('image/jpeg', jpeg(exif(order, 6)))
    expect(stripped).toEqual(
      jpeg(
        Buffer.from(
          'ffe1002245786966 00004d4d002a0000000800010112000300000001000600000000 0000'.replaceAll(' ', ''),
          'hex',
        ),
      ),
    )
    expect(isOnlyImage('image/jpeg', stripped ?? Buffer.alloc(0))).toBe(true)
  },
)

test.each([
  ['a directory beyond the end', (body: Buffer) => body.writeUInt32BE(0xffff_ffff, 14)],
  ['a direction that there is not', (body: Buffer) => body.writeUInt16BE(99, 28)],
])('%s is no direction', (_, break_) => {
  const broken = exif('MM', 6)
  break_(broken)
  expect(withoutMetadata('image/jpeg', jpeg(broken))).toEqual(plainJpeg)
})

test('a file that is no image stays unchanged', () => {
  expect(withoutMetadata('application/pdf', Buffer.from('%PDF'))).toBeUndefined()
})
