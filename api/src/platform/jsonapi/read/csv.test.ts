import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each<[string, unknown, string]>([
  ['text', 'web-1', 'web-1'],
  ['nothing', null, ''],
  ['a number below zero', '-3.20', '-3.20'],
  ['a comma', 'a,b', '"a,b"'],
  ['a quote', 'a "b"', '"a ""b"""'],
  ['two lines', 'a\nb', '"a\nb"'],
  ['a formula', '=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['a sum', '+1+1', "'+1+1"],
  ['a difference', '-1+1', "'-1+1"],
  ['a function of old', '@SUM(1)', "'@SUM(1)"],
  ['a tab before a formula', '\t=1', "'\t=1"],
])('%s', (_, value, text) => {
  expect(csvLine([value])).toBe(`${text}\r\n`)
})
