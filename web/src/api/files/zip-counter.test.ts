import { expect, test } from 'vitest'
import { zipCounter } from './zip-counter.ts'

// A ZIP of two files; the content of one begins like a local file header, and the central directory at the
// end does not count.
const zip = Uint8Array.from([
  ...[0x50, 0x4b, 3, 4, 9, 0x50, 0x50, 0x4b, 3],
  ...[0x50, 0x4b, 3, 4, 0x50, 0x4b, 0x50, 0x4b, 1, 2, 0x50, 0x4b, 5, 6],
])

test.each([1, 2, 3, 5, zip.length])('files are counted in pieces of %i bytes as they come', (size) => {
  const count = zipCounter()
  const counts = Array.from({ length: Math.ceil(zip.length / size) }, (_, at) =>
    count(zip.subarray(at * size, (at + 1) * size)),
  )
  expect(counts.at(-1)).toBe(2)
  expect(counts).toEqual(counts.toSorted())
})
