import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { amountRead, type Columns, dayRead, type SampleRow } from './csv-sample.ts'

/** What is shown under a column: what was read, or why nothing was. */
type Said = { readonly description?: string; readonly error?: string }

/** Longer texts are cut off: they are of several lines. */
const longest = 80

const figures = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** What a row says in a column. */
export function saidIn(
  name: string,
  { line, cells }: SampleRow,
  { at, format, decimal }: { at: number; format: Columns['day_format']; decimal: Columns['decimal'] },
): Said {
  const whole = cells[at] ?? ''
  const value = whole.length > longest ? `${whole.slice(0, longest)}…` : whole
  if (name === 'amount') {
    const amount = amountRead(whole, decimal)
    if (amount === undefined) return { error: m.desk_bank_sample_no_amount({ line, value }) }
    if (amount === 'out') return { description: m.desk_bank_sample_out({ line, value: value || '–' }) }
    return { description: m.desk_bank_sample_read({ line, value, read: figures.format(amount) }) }
  }
  if (name === 'day') {
    const day = dayRead(whole, format)
    if (day === undefined) return { error: m.desk_bank_sample_no_day({ line, value: value || '–' }) }
    return { description: m.desk_bank_sample_read({ line, value, read: dayInWords(day, language()) }) }
  }
  return { description: m.desk_bank_sample({ line, value: value || '–' }) }
}
