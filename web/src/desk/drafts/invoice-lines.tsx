import { Button, TextInput } from '@mantine/core'
import type { Row } from '../../api/rows.ts'
import { amountIn } from '../../components/money/amount.ts'
import { m } from '../../texts/compiled/messages.js'
import { AmountField } from '../verbs/amount-field.tsx'
import classes from './invoice-dialog.module.css'

type Sold = Row<'invoice-drafts'>['lines'][number]

/** A line as it is typed. */
export type TypedLine = { en: string; ro: string; quantity: string; price: string }

export const noLine: TypedLine = { en: '', ro: '', quantity: '1', price: '' }

/** The most lines of an invoice. */
const mostLines = 50

export const typedOf = ({ description_en, description_ro = '', quantity, unit_price }: Sold): TypedLine => ({
  en: description_en,
  ro: description_ro,
  quantity: String(quantity),
  price: Number.isInteger(unit_price) ? String(unit_price) : unit_price.toFixed(2),
})

/** The lines that were typed; undefined while something is missing. */
export function soldIn(typed: readonly TypedLine[], currency: string): Sold[] | undefined {
  const lines = typed.map(({ en, ro, quantity, price }) => ({
    description_en: en.trim(),
    ...(ro.trim() !== '' && { description_ro: ro.trim() }),
    quantity: /^[1-9]\d{0,5}$/.test(quantity.trim()) ? Number(quantity) : 0,
    unit_price: amountIn(price, undefined, currency) ?? 0,
  }))
  const isWhole = lines.every(
    (line) => line.description_en !== '' && line.quantity > 0 && line.unit_price > 0,
  )
  return isWhole ? lines : undefined
}

type Field = {
  line: TypedLine
  currency: string
  number: number
  onChange: (change: Partial<TypedLine>) => void
  onRemove?: (() => void) | undefined
}

function LineFields({ line: { en, ro, quantity, price }, currency, number, onChange, onRemove }: Field) {
  return (
    <fieldset className={classes.line} aria-label={m.desk_invoice_line({ number })}>
      <TextInput
        className={classes.wide}
        label={m.column_description()}
        required
        maxLength={200}
        value={en}
        onChange={(event) => onChange({ en: event.currentTarget.value })}
      />
      <TextInput
        className={classes.wide}
        label={m.desk_invoice_romanian()}
        maxLength={200}
        value={ro}
        onChange={(event) => onChange({ ro: event.currentTarget.value })}
      />
      <TextInput
        label={m.usage_quantity()}
        required
        inputMode="numeric"
        autoComplete="off"
        pattern="\s*[1-9]\d{0,5}\s*"
        value={quantity}
        onChange={(event) => onChange({ quantity: event.currentTarget.value })}
      />
      <AmountField
        required
        label={m.desk_invoice_net()}
        currency={currency}
        value={price}
        onChange={(value) => onChange({ price: value })}
      />
      {onRemove && (
        <Button className={classes.wide} variant="subtle" size="xs" onClick={onRemove}>
          {m.desk_invoice_remove_line({ number })}
        </Button>
      )}
    </fieldset>
  )
}

type Props = { lines: readonly TypedLine[]; currency: string; onChange: (lines: TypedLine[]) => void }

/** The lines of an invoice, one to fifty. */
export function InvoiceLines({ lines, currency, onChange }: Props) {
  const change = (place: number) => (part: Partial<TypedLine>) =>
    onChange(lines.map((line, at) => (at === place ? { ...line, ...part } : line)))
  return (
    <div className={classes.lines}>
      {lines.map((line, place) => (
        <LineFields
          // biome-ignore lint/suspicious/noArrayIndexKey: Lines have no identity but their place.
          key={place}
          line={line}
          currency={currency}
          number={place + 1}
          onChange={change(place)}
          onRemove={lines.length > 1 ? () => onChange(lines.filter((_, at) => at !== place)) : undefined}
        />
      ))}
      {lines.length < mostLines && (
        <div>
          <Button variant="subtle" size="xs" onClick={() => onChange([...lines, noLine])}>
            {m.desk_invoice_add_line()}
          </Button>
        </div>
      )}
    </div>
  )
}
