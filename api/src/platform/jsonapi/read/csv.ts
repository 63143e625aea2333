/** RFC 4180 requires CRLF. */
const newLine = '\r\n'

/** Without it spreadsheets do not detect UTF-8. */
export const byteOrderMark = '\ufeff'

const decimal = /^-?\d+(\.\d+)?$/
// Spreadsheets would run these as formulas: a name chosen by one person must not execute for the person who
// opens the file.
const formula = /^[=+\-@\t\r]/

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const safe = formula.test(text) && !decimal.test(text) ? `'${text}` : text
  return /["\r\n,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of a CSV file. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join()}${newLine}`
