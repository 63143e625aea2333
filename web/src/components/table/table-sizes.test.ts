import { pageSize } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { briefSizes, hasOtherRows, sizeIn } from './table-sizes.ts'

test.each([
  ['all rows are there', 25, 25, false],
  ['one is not', 26, 25, true],
  ['fewer at once than usual, and one is not', 21, 20, true],
  ['fewer at once than usual, and all are there', 20, 20, false],
  ['all are there, which are more than usual', 60, 100, true],
  ['all are there, and would be as usual', 25, 100, false],
  ['none', 0, 25, false],
])('%s: %i rows, %i at once', (_, total, size, offered) => {
  expect(hasOtherRows({ total, size })).toBe(offered)
})

test('a number of rows that is not offered becomes the default', () => {
  expect(['50', 100, 20, 'x', undefined].map((given) => sizeIn(given))).toEqual([50, 100, 25, 25, 25])
  expect(pageSize.options[0]).toBe(pageSize.default)
  expect([10, '50', 'x'].map((given) => sizeIn(given, briefSizes))).toEqual([10, 50, 10])
  // The control to go back to fewer rows stays.
  expect(hasOtherRows({ total: 11, size: 25 }, briefSizes)).toBe(true)
})
