import { expect, test } from 'vitest'
import { alertTopic } from './alert-topics.ts'

test('a kind is about what it begins with, and nothing less than a word of it', () => {
  expect(alertTopic('disputed')).toBe('disputed')
  expect(alertTopic('refund_returned_12')).toBe('refund_returned')
  expect(alertTopic('reconciliation_missing_here')).toBe('reconciliation')
  expect(alertTopic('disputedly')).toBe('other')
  expect(alertTopic('something_new')).toBe('other')
})
