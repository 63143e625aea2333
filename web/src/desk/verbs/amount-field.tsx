import { TextInput } from '@mantine/core'
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

/** An amount in the currency of an account; the browser keeps the form open while it is none. */
export function AmountField({ label = m.desk_amount(), hint, currency, required, value, onChange }: Props) {
  return (
    <TextInput
      label={label}
      description={hint}
      inputMode="decimal"
      autoComplete="off"
      pattern="\s*\d{1,7}([.,]\d{1,2})?\s*"
      {...(required && { required })}
      {...currencySection(currency)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
