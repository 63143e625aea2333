/** Lines end as RFC 4180 has it. */
const newLine = '\r\n'

/** Without it spreadsheets take UTF-8 for something else. */
export const byteOrderMark = '\ufeff'

const decimal = /^-?\d+(\.\d+)?$/
// What spreadsheets take for a formula: a name that somebody chose must not run in the hands of whoever opens the file.
const formula = /^[=+\-@\t\r]/

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const safe = formula.test(text) && !decimal.test(text) ? `'${text}` : text
  return /["\r\n,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of a CSV file. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join()}${newLine}`
