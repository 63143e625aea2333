import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Billing, billingOf } from '../../api/queries/billing.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Pending } from '../../components/loaded.tsx'
import { AccountChoice, useAccount } from '../../components/money/account.tsx'
import { amountIn, currencySection } from '../../components/money/amount.ts'
import pay from '../../components/pay/pay.module.css'
import { PayPart } from '../../components/pay/pay-part.tsx'
import { idIn, textIn, useSearchState } from '../../components/table/search-state.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { Section, SectionBody } from '../../ui/section.tsx'
import { Outcome } from './outcome.tsx'
import classes from './payment.module.css'

/** Debounce in milliseconds, so that not every digit is a request. */
const typingPause = 250

type DepositProps = { account: number | undefined; suggested: string; profile: Billing }

/** During an upgrade an older replica answers without the limits: then only the server checks the amount. */
function limitsOf({ currency, amounts }: Omit<Billing, 'amounts'> & { amounts?: Billing['amounts'] }) {
  if (!amounts) return { quick: [] }
  const { deposit_least: least, deposit_most: most, quick_amounts: quick } = amounts
  return {
    quick,
    bounds: { least, most },
    words: { least: money(least, currency), most: money(most, currency) },
  }
}

/** The amount, its total with VAT, and the card. */
function Deposit({ account, suggested, profile }: DepositProps) {
  const { currency } = profile
  const { quick, bounds, words } = limitsOf(profile)
  const [typed, setTyped] = useState(suggested)
  const amount = amountIn(typed, bounds)
  const [asked] = useDebouncedValue(amount, typingPause)
  const search = new URLSearchParams({ amount: typed, ...(account && { account: String(account) }) })
  return (
    <Section id="deposit" title={m.payment_amount_title()} lead={m.payment_amount_text()}>
      <SectionBody>
        <TextInput
          label={m.payment_amount()}
          description={words && m.payment_limits(words)}
          inputMode="decimal"
          autoComplete="off"
          {...currencySection(currency)}
          value={typed}
          error={
            typed.trim() !== '' && amount === undefined && (words ? m.fault_deposit(words) : m.fault_amount())
          }
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className={classes.quick}>
          {quick.map((one) => (
            <Button key={one} size="xs" variant="default" onClick={() => setTyped(String(one))}>
              {money(one, currency)}
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

/** Tops up the balance and shows the outcome. */
export default function PaymentScreen() {
  const account = useAccount()
  const [given] = useSearchState()
  const transaction = idIn(given.transaction)
  const query = useQuery({
    ...billingOf(account),
    enabled: transaction === undefined,
  })
  const profile = query.data?.items[0]
  return (
    <>
      <PageHead title={m.payment_title()} lead={m.payment_lead()}>
        {transaction === undefined && <AccountChoice />}
      </PageHead>
      <div className={pay.page}>
        {transaction !== undefined && <Outcome key={transaction} id={transaction} />}
        {transaction === undefined && profile && (
          <Deposit key={account} account={account} suggested={textIn(given.amount) ?? ''} profile={profile} />
        )}
        {transaction === undefined && !profile && (
          <div className="card">
            <Pending query={query}>
              <Bone height={320} />
            </Pending>
          </div>
        )}
      </div>
    </>
  )
}
