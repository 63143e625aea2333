import type { Row } from '#platform/db/pool.ts'

/** RFC 4180 requires CRLF. */
const newLine = '\r\n'

/** Without it spreadsheets do not detect UTF-8. */
const byteOrderMark = '\ufeff'

const decimal = /^-?\d+(\.\d+)?$/
// Spreadsheets would run these as formulas: a name chosen by one person must not execute for the person who
// opens the file.
const formula = /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r]/u
// A spreadsheet of another country separates at another character, and then knows no quotes within a line: each part of a text
// may be a cell of its own.
const innerFormula = {
  ',': /([;\t\r\n]["\s\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu,
  ';': /([,\t\r\n]["\s\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu,
} as const

export type Separator = keyof typeof innerFormula

// Nothing of these can be seen, and some reverse the text around them.
const unseen = /[^\P{Cc}\t\n\r]|\p{Bidi_Control}/gu

function cell(value: unknown, separator: Separator): string {
  if (value === null || value === undefined) return ''
  const text = String(value).replaceAll(unseen, '')
  const whole = formula.test(text) && !decimal.test(text) ? `'${text}` : text
  const safe = whole.replaceAll(innerFormula[separator], "$1'")
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of a CSV file. */
export const csvLine = (values: readonly unknown[], separator: Separator = ','): string =>
  `${values.map((value) => cell(value, separator)).join(separator)}${newLine}`

type Layout = {
  /** A line above the headings. */
  readonly head?: readonly string[] | undefined
  readonly separator?: Separator | undefined
}

/** A CSV file of rows, as it is read. The headings come with the first rows. */
export async function* csvLines(
  headings: readonly string[],
  rows: AsyncIterable<Row[]>,
  { head, separator }: Layout = {},
): AsyncGenerator<string> {
  let above = byteOrderMark + (head ? csvLine(head, separator) : '') + csvLine(headings, separator)
  for await (const some of rows) {
    yield above + some.map((row) => csvLine(Object.values(row), separator)).join('')
    above = ''
  }
  if (above !== '') yield above
}
