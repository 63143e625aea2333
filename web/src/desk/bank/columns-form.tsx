import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import type { bankStatements } from '@portico/contract/resources/bank-statements.ts'
import { type FormEvent, useState } from 'react'
import type { Input } from '../../api/actions.ts'
import { asFailure } from '../../api/failure.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './bank.module.css'

export type Columns = NonNullable<Input<(typeof bankStatements)['actions']['importStatement']>['columns']>

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
  isPending: boolean
  onSubmit: (columns: Columns) => void
}

/** Asks what the columns of a bank's CSV mean; the answer is kept for its next files. */
export function ColumnsForm({ headings, isPending, onSubmit }: Props) {
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const [currency, setCurrency] = useState('')
  const [format, setFormat] = useState<Columns['day_format']>('DD.MM.YYYY')
  const [decimal, setDecimal] = useState<Columns['decimal']>(',')
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
