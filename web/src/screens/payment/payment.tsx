import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { depositLimits } from '@portico/contract/rules/deposit-limits.ts'
import { useState } from 'react'
import { PageHead } from '../../components/layout/page-head.tsx'
import { AccountChoice, useAccount } from '../../components/money/account.tsx'
import { amountIn } from '../../components/money/amount.ts'
import pay from '../../components/pay/pay.module.css'
import { PayPart } from '../../components/pay/pay-part.tsx'
import { idIn, textIn, useSearchState } from '../../components/table/search-state.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Section, SectionBody } from '../../ui/section.tsx'
import { Outcome } from './outcome.tsx'
import classes from './payment.module.css'

/** Waits for the end of a number, so that not every digit is a call. */
const typingPause = 250

const quick = [20, 50, 100, 200] as const

const limits = { least: money(depositLimits.least), most: money(depositLimits.most) }

/** How much, what that comes to, and by which card. */
function Deposit({ account, suggested }: { account: number | undefined; suggested: string }) {
  const [typed, setTyped] = useState(suggested)
  const amount = amountIn(typed, depositLimits)
  const [asked] = useDebouncedValue(amount, typingPause)
  const search = new URLSearchParams({ amount: typed, ...(account && { account: String(account) }) })
  return (
    <Section id="deposit" title={m.payment_amount_title()} lead={m.payment_amount_text()}>
      <SectionBody>
        <TextInput
          label={m.payment_amount()}
          description={m.payment_limits(limits)}
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          value={typed}
          error={typed.trim() !== '' && amount === undefined && m.fault_deposit(limits)}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className={classes.quick}>
          {quick.map((one) => (
            <Button key={one} size="xs" variant="default" onClick={() => setTyped(String(one))}>
              {money(one)}
            </Button>
          ))}
        </div>
      </SectionBody>
      <PayPart
        wish={amount === undefined || amount !== asked ? undefined : { purpose: 'deposit', amount }}
        account={account}
        here={`${href('payment')}?${search}`}
      />
    </Section>
  )
}

/** Tops the balance up, and says what became of it. */
export default function PaymentScreen() {
  const account = useAccount()
  const [given] = useSearchState()
  const transaction = idIn(given.transaction)
  return (
    <>
      <PageHead title={m.payment_title()} lead={m.payment_lead()}>
        {transaction === undefined && <AccountChoice />}
      </PageHead>
      <div className={pay.page}>
        {transaction === undefined ? (
          <Deposit key={account} account={account} suggested={textIn(given.amount) ?? ''} />
        ) : (
          <Outcome key={transaction} id={transaction} />
        )}
      </div>
    </>
  )
}
