import { expect, test } from 'vitest'
import { report } from './asvs.ts'

test('each of the 64 lines of ASVS is shown by tests that are there', () => {
  const { lines, missing } = report()
  expect(lines).toHaveLength(64)
  expect(missing).toEqual([])
})
