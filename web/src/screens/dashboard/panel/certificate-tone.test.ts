import { expect, test } from 'vitest'
import { certificateTone } from './certificate-tone.ts'

test('a certificate is urgent in its last week and after its end, and notable in its last month', () => {
  expect([90, 30, 29, 7, 6, 0, -1].map(certificateTone)).toEqual([
    'good',
    'good',
    'warn',
    'warn',
    'bad',
    'bad',
    'bad',
  ])
})
