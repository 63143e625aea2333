import { afterEach, expect, test } from 'vitest'
import { startLanguage } from '../stores/language.ts'
import { m } from './compiled/messages.js'

afterEach(() => startLanguage('en'))

test('a text is said in the language of now, with what it takes', () => {
  expect(m.auto_times({ count: 1, date: '1 May' })).toBe('1 time, last on 1 May')
  expect(m.ticket_write_hint()).toBe('For formatting write **bold**, `code`, or a list with dashes.')
  startLanguage('ro')
  expect(m.auto_times({ count: 1, date: '1 mai' })).toBe('1 dată, ultima la 1 mai')
  expect(m.ticket_write_hint()).toBe('Pentru formatare scrie **aldin**, `cod` sau o listă cu liniuțe.')
})

test('a number takes the form that its language has for it', () => {
  const counts = [0, 1, 2, 20, 101, 120]
  expect(counts.map((count) => m.days_count({ count }))).toEqual([
    '0 days',
    '1 day',
    '2 days',
    '20 days',
    '101 days',
    '120 days',
  ])
  startLanguage('ro')
  expect(counts.map((count) => m.days_count({ count }))).toEqual([
    '0 zile',
    '1 zi',
    '2 zile',
    '20 de zile',
    '101 zile',
    '120 de zile',
  ])
})

test('a text that is not there, or lacks what it takes, does not compile', () => {
  // @ts-expect-error: no such text.
  expect(m.no_such_text).toBeUndefined()
  // @ts-expect-error: the count is missing.
  expect(() => m.days_count()).toThrow()
})
