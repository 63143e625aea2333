import { NativeSelect, TextInput } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'

export type Way = 'balance' | 'card' | 'bank'

/** Where money goes, and the account for a transfer. */
export type Sent = { to: Way; iban: string }

const names: Record<Way, () => string> = {
  balance: m.desk_credit_to_balance,
  card: m.desk_credit_to_card,
  bank: m.desk_credit_to_bank,
}

type Props = Sent & {
  label: string
  /** The ways that are possible, in their order. */
  ways: readonly Way[]
  onChange: (sent: Sent) => void
}

/** Chooses where money goes; a transfer needs the account of the payee. */
export function WayFields({ label, ways, to, iban, onChange }: Props) {
  return (
    <>
      {ways.length > 1 && (
        <NativeSelect
          label={label}
          value={to}
          data={ways.map((value) => ({ value, label: names[value]() }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ to: ways.find((way) => way === value) ?? to, iban })
          }
        />
      )}
      {to === 'bank' && (
        <TextInput
          required
          label={m.desk_credit_iban()}
          autoComplete="off"
          maxLength={42}
          value={iban}
          onChange={({ currentTarget: { value } }) => onChange({ to, iban: value })}
        />
      )}
    </>
  )
}
