import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { line } from './fields.ts'
import { fault, faultInWords } from './refusals/fields.ts'

const name = line(4, { required: fault('name_required') })
const faultsOf = (text: string) =>
  z.safeParse(name, text).error?.issues.map(({ message }) => faultInWords(message, 'en')) ?? []

test('a line is trimmed', () => {
  expect(z.parse(name, '  ab\t')).toBe('ab')
})

test('lengths are in characters, however many units JavaScript needs for one', () => {
  expect(faultsOf('🏔🏔🏔🏔')).toEqual([])
  expect(faultsOf('🏔🏔🏔🏔a')).toEqual(['At most 4 characters'])
  expect(faultsOf('abcde')).toEqual(['At most 4 characters'])
})

test.each([
  ['nothing', ''],
  ['spaces', ' \u00a0\u3000 '],
  ['a zero-width space', '\u200b'],
  ['Hangul fillers', '\u115f\u3164'],
  ['an empty braille cell', '\u2800'],
  ['a tag character', '\u{e0041}'],
])('a name that shows nothing is none: %s', (_, text) => {
  expect(faultsOf(text)).toEqual(['A name is required'])
})

test.each([
  ['a null', 'a\0b'],
  ['a line feed', 'a\nb'],
  ['a C1 control', 'a\u0085b'],
  ['a line separator', 'a\u2028b'],
  ['a right-to-left override', 'a\u202eb'],
  ['an isolate', 'a\u2067b'],
  ['an Arabic letter mark', 'a\u061cb'],
])('misleading characters are refused: %s', (_, text) => {
  expect(faultsOf(text)).toEqual(['Contains characters that cannot be shown'])
})

test.each(['❤️', '👩‍🚀', 'می‌خ', 'Țîșă', '日本'])('natural text is accepted: %s', (text) => {
  expect(faultsOf(text)).toEqual([])
})

test('a line that may be empty may be empty', () => {
  expect(z.parse(line(4), '')).toBe('')
})
