import { inflateRawSync } from 'node:zlib'

const endOfDirectory = 0x06054b50
const sizeOfEnd = 22

/** The files of a ZIP below 4 GB by name, found through its directory as programs do. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - sizeOfEnd
  if (end < 0 || zip.readUInt32LE(end) !== endOfDirectory) throw new Error('This is no whole ZIP.')
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place))
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0))
    const local = zip.readUInt32LE(at + 42)
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(begin, begin + zip.readUInt32LE(at + 20))
    files.set(name, zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed))
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return files
}
