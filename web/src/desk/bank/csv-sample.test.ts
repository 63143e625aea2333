import { expect, test } from 'vitest'
import { amountRead, dayRead, rowsOf, sampleRows, shownRow } from './csv-sample.ts'

test('rows are read with their lines, quotes and empty cells, by the delimiter of the headings', () => {
  expect(rowsOf('Day;Sum\r\n1;2\r\n\r\n"a;b ""c""\nd"; 3 \r\n;4')).toEqual([
    { line: 2, cells: ['1', '2'] },
    { line: 5, cells: ['a;b "c"\nd', '3'] },
    { line: 6, cells: ['', '4'] },
  ])
  expect(rowsOf('Day,Sum\n1,"2,50"\n')).toEqual([{ line: 2, cells: ['1', '2,50'] }])
  expect(rowsOf('Day\tSum\n1\t2')).toEqual([{ line: 2, cells: ['1', '2'] }])
  expect(rowsOf('Day|Sum\n1|2')).toEqual([{ line: 2, cells: ['1', '2'] }])
  for (const none of ['', 'Day;Sum', 'Day;Sum\n"never closed', '"']) expect(rowsOf(none)).toEqual([])
})

test('a file is read in its encoding, and a row that is cut off is left out', async () => {
  const wide = new Uint8Array([0xff, 0xfe, ...Buffer.from('Zi;Sumă\n1;ț', 'utf16le')])
  expect(await sampleRows(new File([wide], 'a.csv'))).toEqual([{ line: 2, cells: ['1', 'ț'] }])
  const long = new File([`Day;Text\n1;a\n2;${'b'.repeat(70_000)}`], 'a.csv')
  expect(await sampleRows(long)).toEqual([{ line: 2, cells: ['1', 'a'] }])
})

test('days are read in the chosen format alone', () => {
  expect(dayRead('05.11.2026', 'DD.MM.YYYY')).toBe('2026-11-05')
  expect(dayRead('5/11/2026 10:20', 'DD.MM.YYYY')).toBe('2026-11-05')
  expect(dayRead('05/11/2026', 'MM/DD/YYYY')).toBe('2026-05-11')
  expect(dayRead('2026-11-05T10:00', 'YYYY-MM-DD')).toBe('2026-11-05')
  for (const wrong of ['31.02.2026', '13.2026', 'x', '', '01.01.0001'])
    expect([wrong, dayRead(wrong, 'DD.MM.YYYY')]).toEqual([wrong, undefined])
  expect(dayRead('25/11/2026', 'MM/DD/YYYY')).toBeUndefined()
})

test('amounts are read with the chosen decimal mark, and money that went out is none', () => {
  expect(amountRead('1.234,56', ',')).toBe(1234.56)
  expect(amountRead('+1 234,5', ',')).toBe(1234.5)
  expect(amountRead('1,234.56', '.')).toBe(1234.56)
  expect(amountRead('12.500', '.')).toBe(12.5)
  for (const out of ['', '-5,00', '0,00']) expect([out, amountRead(out, ',')]).toEqual([out, 'out'])
  for (const wrong of ['1.50', '1,234.56', 'x', '1,234'])
    expect([wrong, amountRead(wrong, ',')]).toEqual([wrong, undefined])
})

test('the row that is shown has incoming money, where one has', () => {
  const rows = rowsOf('Day;Sum\n1;-5,00\n2;7,00\n3;8,00')
  expect(shownRow(rows, 1, ',')?.line).toBe(3)
  expect(shownRow(rows, -1, ',')?.line).toBe(2)
  expect(shownRow(rowsOf('Day;Sum\n1;-5,00'), 1, ',')?.line).toBe(2)
  expect(shownRow([], 1, ',')).toBeUndefined()
})
