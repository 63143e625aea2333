import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Billing, useAmounts } from '../../api/queries/billing.ts'
import { useAccount } from '../../components/money/account.tsx'
import { amountIn, currencySection } from '../../components/money/amount.ts'
import { Transfer } from '../../components/transfer/transfer.tsx'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'

/** A bank transfer among the means of payment: a proforma for an amount, or for all that is owed. */
export function ByTransfer({ profile }: { profile: Billing }) {
  const account = useAccount()
  const { currency } = profile
  const amounts = useAmounts(account)
  const [typed, setTyped] = useState('')
  const bounds = amounts && { least: amounts.deposit_least, most: amounts.deposit_most }
  const amount = amountIn(typed, bounds, currency)
  const words = bounds && { least: money(bounds.least, currency), most: money(bounds.most, currency) }
  const fault = words ? m.fault_deposit(words) : m.fault_amount()
  return (
    <Transfer account={account} profile={profile} amount={amount}>
      <TextInput
        label={m.payment_amount()}
        description={words && m.payment_limits(words)}
        inputMode="decimal"
        autoComplete="off"
        {...currencySection(currency)}
        value={typed}
        error={typed.trim() !== '' && amount === undefined && fault}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </Transfer>
  )
}
