import { describe, expect, test } from 'vitest'
import { dayTyped, dayWritten, momentAt, momentTyped, momentWritten, partsOf } from './typed.ts'

describe('a typed day', () => {
  test.each([
    '2026-11-21',
    ' 2026-11-21 ',
    '2026/11/21',
    '21.11.2026',
    '21-11-2026',
    '21. 11. 2026',
    'Nov 21, 2026',
    '21 november 2026',
  ])('is understood in both languages as %s', (text) => {
    expect([dayTyped(text, 'en'), dayTyped(text, 'ro')]).toEqual(['2026-11-21', '2026-11-21'])
  })

  test('has its month first in English with slashes, and its day in Romanian', () => {
    expect([dayTyped('3/4/2026', 'en'), dayTyped('3/4/2026', 'ro')]).toEqual(['2026-03-04', '2026-04-03'])
  })

  test('has Romanian months, with and without their marks', () => {
    const typed = ['21 noiembrie 2026', '5 mai 2026', '1 ian. 2026', '7 iul 2026', '7 IUNIE 2026']
    expect(typed.map((text) => dayTyped(text, 'ro'))).toEqual([
      '2026-11-21',
      '2026-05-05',
      '2026-01-01',
      '2026-07-07',
      '2026-06-07',
    ])
  })

  test('is of the years 1900 to 2100', () => {
    const typed = ['1899-12-31', '1900-01-01', '31.12.2100', '1.1.2101']
    expect(typed.map((text) => dayTyped(text, 'en'))).toEqual([
      undefined,
      '1900-01-01',
      '2100-12-31',
      undefined,
    ])
  })

  test.each(['', '31.02.2026', '2026-13-01', '21.11.26', 'tomorrow', '2026', 'No 21 2026', '21 21 nov 2026'])(
    'is none: %j',
    (text) => {
      expect(dayTyped(text, 'en')).toBeUndefined()
    },
  )

  test('is understood again as it is written', () => {
    const days = Array.from({ length: 12 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')}-09`)
    for (const language of ['en', 'ro'])
      expect(days.map((day) => dayTyped(dayWritten(day, language), language))).toEqual(days)
    expect(dayWritten('31.02.2026', 'en')).toBe('31.02.2026')
  })
})

describe('a typed moment', () => {
  test.each([
    ['2026-11-21 14:35', '14:35:00'],
    ['2026-11-21T14:35:20', '14:35:20'],
    ['Nov 21, 2026, 2:35 PM', '14:35:00'],
    ['21.11.2026 12:05 am', '00:05:00'],
    ['21.11.2026 9:05', '09:05:00'],
  ])('is understood as %s', (text, time) => {
    expect(momentTyped(text, 'en')).toBe(momentAt('2026-11-21', time))
  })

  test.each(['2026-11-21', '2026-11-21 24:00', '2026-11-21 14:60', '2026-11-21 13:00 pm', '14:35', ''])(
    'is none: %j',
    (text) => {
      expect(momentTyped(text, 'en')).toBeUndefined()
    },
  )

  test('is understood again as it is written, and has its parts', () => {
    for (const time of ['00:00:00', '14:35:20', '14:00:00'])
      for (const language of ['en', 'ro']) {
        const moment = momentAt('2026-11-21', time)
        expect(momentTyped(momentWritten(moment, language), language)).toBe(moment)
        expect(partsOf(moment)).toEqual({ day: '2026-11-21', time })
      }
    expect(partsOf('2026-11-21')).toBeUndefined()
  })
})
