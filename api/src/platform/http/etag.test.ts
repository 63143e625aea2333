import { expect, test } from 'vitest'
import { matchesTag } from './etag.ts'

test.each([
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  [undefined, false],
])('If-None-Match %s', (header, matches) => {
  expect(matchesTag(header, 'W/"a"')).toBe(matches)
})
