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
  ['a tab before a formula', '\t=1', "'\t'=1"],
  ['a space before a formula', ' =1+1', "' =1+1"],
  ['what cannot be seen before a formula', '\u200b=1+1', "'\u200b=1+1"],
  ['a formula in wide letters', '＝1+1', "'＝1+1"],
  ['a formula behind the separator of another country', 'Acme;=1+1', "Acme;'=1+1"],
  ['a formula on a line of its own', 'Acme\n"=1+1', `"Acme\n""'=1+1"`],
  ['a formula behind a tab', 'Acme\t@SUM(1)', "Acme\t'@SUM(1)"],
  ['a discount', 'Server, -20 %', '"Server, -20 %"'],
  ['a letter of control', 'a\u0000b\u001b[2J', 'ab[2J'],
  ['a reversed name', 'invoice\u202exslx.exe', 'invoicexslx.exe'],
  ['letters of everyone', 'Ștefan Țiței Łódź 東京 🚀', 'Ștefan Țiței Łódź 東京 🚀'],
])('%s', (_, value, text) => {
  expect(csvLine([value])).toBe(`${text}\r\n`)
})

test('a file with semicolons is as safe where commas separate', () => {
  expect(csvLine(['Acme,=1+1', '-1,50'], ';')).toBe("Acme,'=1+1;'-1,50\r\n")
})
