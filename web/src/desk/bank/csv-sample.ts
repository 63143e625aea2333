import type { bankStatements } from '@portico/contract/resources/bank-statements.ts'
import { firstDay, lastDay } from '@portico/contract/rules/pickers.ts'
import type { Input } from '../../api/actions.ts'

export type Columns = NonNullable<Input<(typeof bankStatements)['actions']['importStatement']>['columns']>

// The server reads the file. This shows, before it is asked to, what the chosen columns say in one line.

/** A row of a table, with the line of the file in which it ends. */
export type SampleRow = { readonly line: number; readonly cells: readonly string[] }

/** As much of the file as holds a few rows. */
const sampleSize = 65_536

const delimiters = [';', ',', '\t', '|']

function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1)
  const count = (one: string) => first.split(one).length
  return delimiters.reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** A cell and what ends it: a delimiter, the end of a line, or the end of the text. Quotes within quotes are doubled. */
const cellOf = (delimiter: string) => {
  const end = delimiter === '|' ? '\\|' : delimiter
  return new RegExp(
    `[^\\S\\r\\n${end}]*(?:"((?:[^"]|"")*)"[^\\S\\r\\n${end}]*|([^"${end}\\r\\n][^${end}\\r\\n]*)?)(${end}|\\r?\\n|$)`,
    'y',
  )
}

/** The rows of the beginning of a table without its headings; none of a text that is no table. */
export function rowsOf(text: string): SampleRow[] {
  const table = text.trimStart()
  const cell = cellOf(delimiterOf(table))
  const rows: SampleRow[] = []
  let cells: string[] = []
  let line = 1
  while (cell.lastIndex < table.length) {
    const found = cell.exec(table)
    if (found === null) break
    const [whole, quoted, plain = '', end = ''] = found
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    line += whole.split('\n').length - 1
    const isEnded = end.includes('\n')
    if (!isEnded && end !== '') continue
    if (cells.some((one) => one !== '')) rows.push({ line: isEnded ? line - 1 : line, cells })
    cells = []
  }
  return rows.slice(1)
}

/** The first rows of a chosen file; none where its letters cannot be read. */
export async function sampleRows(file: File): Promise<SampleRow[]> {
  const bytes = new Uint8Array(await file.slice(0, sampleSize).arrayBuffer())
  const isWide = (one: number, other: number) => bytes[0] === one && bytes[1] === other
  const wide = isWide(0xfe, 0xff) ? 'utf-16be' : undefined
  const encoding = isWide(0xff, 0xfe) ? 'utf-16le' : (wide ?? 'utf-8')
  const rows = rowsOf(new TextDecoder(encoding).decode(bytes))
  // The last one may be cut off.
  return file.size > sampleSize ? rows.slice(0, -1) : rows
}

const dayParts = {
  'YYYY-MM-DD': /^(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})$/,
  'DD.MM.YYYY': /^(?<d>\d{1,2})[-/.](?<m>\d{1,2})[-/.](?<y>\d{4})$/,
  'MM/DD/YYYY': /^(?<m>\d{1,2})[-/.](?<d>\d{1,2})[-/.](?<y>\d{4})$/,
} as const

/** The day that a cell is read as; undefined where it is none in this format. */
export function dayRead(text: string, format: Columns['day_format']): string | undefined {
  const { y, m, d } = dayParts[format].exec(text.split(/[ T]/)[0] ?? '')?.groups ?? {}
  if (!y || !m || !d) return undefined
  const day = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  const at = new Date(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === day
  return isDay && day >= firstDay && day <= lastDay ? day : undefined
}

const wholeAmounts = {
  ',': /^[+-]?(\d+|\d{1,3}([.\s’']\d{3})+)(,\d*)?$/,
  '.': /^[+-]?(\d+|\d{1,3}([,\s’']\d{3})+)(\.\d*)?$/,
} as const

/** What a cell is read as: incoming money, `out` for what went out or nothing, undefined where it is no amount. */
export function amountRead(text: string, decimal: Columns['decimal']): number | 'out' | undefined {
  if (text === '') return 'out'
  if (!wholeAmounts[decimal].test(text)) return undefined
  if (text.startsWith('-')) return 'out'
  const thousands = decimal === ',' ? /[.\s’']/g : /[,\s’']/g
  const exact = text
    .replaceAll(thousands, '')
    .replace(decimal, '.')
    .replace(/^\+|\.$/g, '')
  if (!/^\d{1,12}(\.\d{1,2}0*)?$/.test(exact)) return undefined
  return Number(exact) === 0 ? 'out' : Number(exact)
}

/** The row that is shown: the first with incoming money, or with something that is no amount, else the first. */
export function shownRow(
  rows: readonly SampleRow[],
  amountAt: number,
  decimal: Columns['decimal'],
): SampleRow | undefined {
  if (amountAt < 0) return rows[0]
  return rows.find(({ cells }) => amountRead(cells[amountAt] ?? '', decimal) !== 'out') ?? rows[0]
}
