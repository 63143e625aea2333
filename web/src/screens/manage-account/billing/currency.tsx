import { Suspense } from 'react'
import type { ActionOf, Output } from '../../../api/actions.ts'
import { action } from '../../../api/query.ts'
import { nameOf } from '../../../components/money/currency-name.ts'
import { m } from '../../../texts/compiled/messages.js'
import { lazily } from '../../../ui/loading/lazily.ts'
import { SectionBody } from '../../../ui/section.tsx'

type Choice = Output<ActionOf<'clients', 'currencyChoice'>>

/** The currency of an account, and whether it can be changed. */
export const currencyOf = (id: number) => action('clients', 'currencyChoice', { id, payload: {} })

const CurrencyForm = lazily(async () => (await import('./currency-form.tsx')).CurrencyForm)

const reasons: Record<NonNullable<Choice['fixed_by']>, () => string> = {
  transactions: m.currency_fixed_transactions,
  use: m.currency_fixed_use,
  payment: m.currency_fixed_payment,
  automatic: m.currency_fixed_automatic,
  prices: m.currency_fixed_prices,
}

/** The currency of the account: a choice while nothing is kept in it, afterwards a fact with its reason. */
export function Currency({ choice }: { choice: Choice }) {
  const { currency, offered, fixed_by } = choice
  const isChoice = fixed_by === null && offered.some((code) => code !== currency)
  if (isChoice)
    return (
      <Suspense>
        <CurrencyForm key={currency} currency={currency} offered={offered} />
      </Suspense>
    )
  return (
    <SectionBody>
      <p>{nameOf(currency)}</p>
      {fixed_by !== null && offered.length > 1 && <p>{reasons[fixed_by]()}</p>}
    </SectionBody>
  )
}
