import { expect, test } from 'vitest'
import { judgeSpace } from './disk.ts'

test.each([
  [6e9, 'good', '6.0 GB'],
  [4.9e9, 'warn', '4.9 GB'],
  [0.9e9, 'stop', '0.9 GB'],
  [0, 'stop', '0.0 GB'],
])('a disk with %d bytes left is %s', (free, state, said) => {
  const found = judgeSpace('/data', free)
  expect(found).toMatchObject({ state, about: 'disk' })
  expect(found.words.en).toContain(`/data has ${said} left`)
  expect(found.words.ro).toContain(`/data mai are ${said} liberi`)
})
