import { NativeSelect } from '@mantine/core'
import * as z from 'zod/mini'
import type { ActionOf, Output } from '../../../api/actions.ts'
import { useUser } from '../../../api/queries/user.ts'
import { action } from '../../../api/query.ts'
import { useAction } from '../../../api/write.ts'
import { FormFoot } from '../../../components/form-foot/form-foot.tsx'
import { useSavingForm } from '../../../components/forms/saving-form.ts'
import { language } from '../../../stores/language.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { SectionBody } from '../../../ui/section.tsx'

type Choice = Output<ActionOf<'clients', 'currencyChoice'>>

/** The currency of an account, and whether it can be changed. */
export const currencyOf = (id: number) => action('clients', 'currencyChoice', { id, payload: {} })

const schema = z.object({ currency: z.string() })

/** As people name it, with its code: "euro (EUR)". */
const nameOf = (code: string) => {
  const name = new Intl.DisplayNames(language(), { type: 'currency' }).of(code) ?? code
  return `${name} (${code})`
}

const reasons: Record<NonNullable<Choice['fixed_by']>, () => string> = {
  transactions: m.currency_fixed_transactions,
  use: m.currency_fixed_use,
  payment: m.currency_fixed_payment,
  automatic: m.currency_fixed_automatic,
  prices: m.currency_fixed_prices,
}

function CurrencyForm({ choice: { currency, offered } }: { choice: Choice }) {
  const { id } = useUser()
  const change = useAction('clients', 'changeCurrency')
  const form = useSavingForm({
    name: 'currency',
    initial: { currency },
    schema,
    save: async (payload) => {
      await change.mutateAsync({ id, payload })
      toast(m.currency_saved())
    },
  })
  return (
    <form {...form.formProps}>
      <SectionBody>
        <NativeSelect label={m.currency_label()} description={m.currency_until()} {...form.field('currency')}>
          {[...new Set([...offered, currency])].map((code) => (
            <option key={code} value={code}>
              {nameOf(code)}
            </option>
          ))}
        </NativeSelect>
      </SectionBody>
      <FormFoot form={form} />
    </form>
  )
}

/** The currency of the account: a choice while nothing is kept in it, afterwards a fact with its reason. */
export function Currency({ choice }: { choice: Choice }) {
  const { currency, offered, fixed_by } = choice
  const isChoice = fixed_by === null && offered.some((code) => code !== currency)
  if (isChoice) return <CurrencyForm key={currency} choice={choice} />
  return (
    <SectionBody>
      <p>{nameOf(currency)}</p>
      {fixed_by !== null && offered.length > 1 && <p>{reasons[fixed_by]()}</p>}
    </SectionBody>
  )
}
