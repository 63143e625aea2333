import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './bank.module.css'
import { type Columns, type SampleRow, shownRow } from './csv-sample.ts'
import { saidIn } from './sample-words.ts'

/** The headings of a file whose columns are not known yet; undefined for any other failure. */
export function columnsIn(error: Error | null): readonly string[] | undefined {
  const [first] = error === null ? [] : asFailure(error).errors
  const found = first?.code === 'statement_columns_needed' ? first.meta?.columns : undefined
  return Array.isArray(found) ? found.map(String) : undefined
}

const fields = () =>
  [
    ['day', m.desk_bank_column_day()],
    ['amount', m.desk_bank_column_amount()],
    ['payer', m.desk_bank_column_payer()],
    ['payer_iban', m.desk_bank_column_payer_iban()],
    ['text', m.desk_bank_column_text()],
    ['reference', m.desk_bank_column_reference()],
    ['account', m.desk_bank_column_account()],
  ] as const

type Props = {
  headings: readonly string[]
  /** The first rows of the file, of which one is shown under the chosen columns. */
  rows: readonly SampleRow[]
  isPending: boolean
  onSubmit: (columns: Columns) => void
}

/** Asks what the columns of a bank's CSV mean; the answer is kept for its next files. */
export function ColumnsForm({ headings, rows, isPending, onSubmit }: Props) {
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const [currency, setCurrency] = useState('')
  const [format, setFormat] = useState<Columns['day_format']>('DD.MM.YYYY')
  const [decimal, setDecimal] = useState<Columns['decimal']>(',')
  const placeOf = (name: string) => headings.indexOf(chosen[name] ?? '')
  const row = shownRow(rows, placeOf('amount'), decimal)
  const said = (name: string) => {
    const at = placeOf(name)
    return row === undefined || at < 0 ? {} : saidIn(name, row, { at, format, decimal })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { day = '', amount = '', ...others } = chosen
    const known = Object.fromEntries(Object.entries(others).filter(([, heading]) => heading !== ''))
    onSubmit({ ...known, day, amount, currency, day_format: format, decimal })
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <p>{m.desk_bank_columns_text()}</p>
      {fields().map(([name, label]) => (
        <NativeSelect
          key={name}
          label={label}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...said(name)}
          required={name === 'day' || name === 'amount'}
          value={chosen[name] ?? ''}
          data={[{ value: '', label: '–' }, ...headings]}
          onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, [name]: value })}
        />
      ))}
      <NativeSelect
        label={m.desk_bank_day_format()}
        value={format}
        data={['DD.MM.YYYY', 'YYYY-MM-DD', 'MM/DD/YYYY']}
        // The values are those of the list above.
        onChange={({ currentTarget: { value } }) => setFormat(value as Columns['day_format'])}
      />
      <NativeSelect
        label={m.desk_bank_decimal()}
        value={decimal}
        data={['1.234,56', '1,234.56'].map((label, at) => ({ value: at === 0 ? ',' : '.', label }))}
        onChange={({ currentTarget: { value } }) => setDecimal(value === '.' ? '.' : ',')}
      />
      <TextInput
        label={m.desk_bank_currency()}
        required
        pattern="[A-Z]{3}"
        maxLength={3}
        value={currency}
        onChange={({ currentTarget: { value } }) => setCurrency(value.toUpperCase())}
      />
      <Group justify="flex-end">
        <Button type="submit" loading={isPending}>
          {m.desk_bank_import_verb()}
        </Button>
      </Group>
    </form>
  )
}
