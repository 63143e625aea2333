import { TextInput } from '@mantine/core'
import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import { currencySection } from '../../components/money/amount.ts'
import { m } from '../../texts/compiled/messages.js'

type Props = {
  label?: string
  hint?: string
  currency: string
  required?: boolean
  value: string
  onChange: (value: string) => void
}

const patterns = { 0: '\\s*\\d{1,7}\\s*', 2: '\\s*\\d{1,7}([.,]\\d{1,2})?\\s*' } as const

/** An amount in the currency of an account; the browser keeps the form open while it is none. */
export function AmountField({ label = m.desk_amount(), hint, currency, required, value, onChange }: Props) {
  return (
    <TextInput
      label={label}
      description={hint}
      inputMode="decimal"
      autoComplete="off"
      pattern={patterns[minorUnits(currency)]}
      {...(required && { required })}
      {...currencySection(currency)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
