import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import { useState } from 'react'
import type { Billing } from '../../api/queries/billing.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money, sum } from '../../ui/format.ts'
import { Section, SectionBody } from '../../ui/section.tsx'
import { amountIn, currencySection } from '../money/amount.ts'
import { Transfer } from '../transfer/transfer.tsx'
import { owedBy } from './owed.ts'
import classes from './pay.module.css'
import { PayPart } from './pay-part.tsx'

/** Debounce in milliseconds, so that not every digit is a request. */
const typingPause = 250

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

/** The measure that paying a debt prevents, and its date. */
function consequence({ banner: { reason, suspend_on } }: Billing): string {
  if (reason === 'suspended') return m.debt_suspended()
  return suspend_on === null ? m.debt_runs() : m.debt_prevents({ date: dayInWords(suspend_on, language()) })
}

/** The parts of a debt, where usage of today comes on top of the balance. */
function partsOf({ account_balance, credit_balance, uncharged_today: used, currency }: Billing) {
  if (used <= 0) return undefined
  const balance = money(sum([account_balance, credit_balance]), currency)
  return m.debt_uncharged({ balance, used: money(used, currency) })
}

type AmountsProps = {
  owed: number | undefined
  profile: Billing
  chosen: number | undefined
  onChoose: (amount: number) => void
}

/** The debt, and the usual amounts. */
function Amounts({ owed, profile, chosen, onChoose }: AmountsProps) {
  const { currency } = profile
  const { quick } = limitsOf(profile)
  return (
    <div className={classes.quick}>
      {owed !== undefined && (
        <Button size="xs" variant="default" aria-pressed={chosen === owed} onClick={() => onChoose(owed)}>
          {m.debt_all({ amount: money(owed, currency) })}
        </Button>
      )}
      {quick
        .filter((one) => one !== owed)
        .map((one) => (
          <Button
            key={one}
            size="xs"
            variant="default"
            aria-pressed={chosen === one}
            onClick={() => onChoose(one)}
          >
            {money(one, currency)}
          </Button>
        ))}
    </div>
  )
}

type DepositProps = { account: number | undefined; suggested?: string | undefined; profile: Billing }

/**
 * A payment to the balance: the amount, its total with VAT, the means, and the balance afterwards. In debt it is the
 * card of the debt, with the amount filled in and the consequences of not paying.
 */
export function Deposit({ account, suggested, profile }: DepositProps) {
  const { currency } = profile
  const { bounds, words } = limitsOf(profile)
  const owed = owedBy(profile)
  const [typed, setTyped] = useState(suggested ?? owed?.toFixed(minorUnits(currency)) ?? '')
  const amount = amountIn(typed, bounds, currency)
  const [asked] = useDebouncedValue(amount, typingPause)
  const search = new URLSearchParams({ amount: typed, ...(account && { account: String(account) }) })
  const parts = owed === undefined ? undefined : partsOf(profile)
  return (
    <>
      <Section
        id="deposit"
        title={owed === undefined ? m.payment_amount_title() : m.debt_title()}
        lead={owed === undefined ? m.payment_amount_text() : consequence(profile)}
      >
        <SectionBody>
          {parts && <p>{parts}</p>}
          {owed === undefined && <p>{m.payment_now({ amount: money(profile.available, currency) })}</p>}
          <TextInput
            label={m.payment_amount()}
            description={words && m.payment_limits(words)}
            inputMode="decimal"
            autoComplete="off"
            {...currencySection(currency)}
            value={typed}
            error={
              typed.trim() !== '' &&
              amount === undefined &&
              (words ? m.fault_deposit(words) : m.fault_amount())
            }
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Amounts owed={owed} profile={profile} chosen={amount} onChoose={(one) => setTyped(String(one))} />
        </SectionBody>
        <PayPart
          wish={
            amount === undefined || asked === undefined ? undefined : { purpose: 'deposit', amount: asked }
          }
          isTyping={amount !== asked}
          account={account}
          here={`${href('payment')}?${search}`}
          available={profile.available}
        />
      </Section>
      <Transfer account={account} profile={profile} amount={amount} />
    </>
  )
}
