import { TextInput } from '@mantine/core'
import { fault } from '@portico/contract/refusals/fields.ts'
import * as z from 'zod/mini'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { currencySection } from '../../components/money/amount.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import classes from '../company/company.module.css'
import { reasonRule } from '../verbs/form-rules.ts'
import { ReasonFoot } from '../verbs/reason-foot.tsx'
import { useShownAsSaved } from '../verbs/shown-as-saved.ts'
import { because } from '../verbs/verb-dialog.tsx'
import { amountNames } from './words.ts'

// Whether an amount is below zero and how amounts relate is the server's to check.
const amount = z.string().check(z.trim(), z.regex(/^-?\d{1,7}([.,]\d{1,2})?$/, fault('decimals_most')))

const names = [
  'trial_credit',
  'warn_below',
  'credit_limit',
  'deposit_least',
  'deposit_most',
  'threshold_least',
  'threshold_usual',
  'recharge_least',
  'recharge_usual',
  'cap_most',
] as const
type Name = (typeof names)[number]

const rules = z.object({
  trial_credit: amount,
  warn_below: amount,
  credit_limit: amount,
  deposit_least: amount,
  deposit_most: amount,
  threshold_least: amount,
  threshold_usual: amount,
  recharge_least: amount,
  recharge_usual: amount,
  cap_most: amount,
  quick_amounts: z
    .string()
    .check(z.regex(/^\s*(\d{1,7}([.,]\d{1,2})?(\s*;\s*|\s+|$))*\s*$/, fault('value_invalid'))),
  reason: reasonRule,
})
type Values = z.output<typeof rules>

const hints: Readonly<Partial<Record<Name, () => string>>> = {
  warn_below: m.desk_policies_warn_below_hint,
  credit_limit: m.desk_policies_limit_hint,
}

type Policy = Row<'currency-policies'>

/** An amount for each name. */
const each = <V,>(of: (name: Name) => V): Record<Name, V> =>
  // The names are all keys of the record.
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, V>

const valuesOf = (policy: Policy): Values => ({
  ...each((name) => String(policy[name])),
  quick_amounts: policy.quick_amounts.join('; '),
  reason: '',
})

const numberIn = (text: string) => Number(text.replace(',', '.'))

const onTheWire = ({ quick_amounts, ...values }: Values) => ({
  ...each((name) => numberIn(values[name])),
  quick_amounts: quick_amounts
    .split(/[;\s]+/)
    .filter((one) => one !== '')
    .map(numberIn),
})

/** The amounts of warnings, deposits and automatic payments in a currency. */
export function AmountsForm({ policy }: { policy: Policy }) {
  const action = useAction('currency-policies', 'editAmounts')
  const { currency } = policy
  const initial = valuesOf(policy)
  const form = useSavingForm<Values>({
    name: `desk-amounts-${currency}`,
    initial,
    schema: rules,
    save: async (values) => {
      const payload = onTheWire(values)
      await action.mutateAsync({ id: policy.id, payload, headers: because(values.reason) })
      toast(m.desk_policies_saved())
    },
  })
  useShownAsSaved(form, initial, policy.updatedAt)
  const mayEdit = policy.may.editAmounts
  return (
    <form {...form.formProps}>
      <Section id={`amounts-${currency}`} title={m.desk_policies_amounts({ currency })}>
        <SectionBody>
          <div className={classes.pair}>
            {names.map((name) => (
              <TextInput
                key={name}
                label={amountNames[name]()}
                description={hints[name]?.()}
                inputMode="decimal"
                readOnly={!mayEdit}
                {...currencySection(currency)}
                {...form.field(name)}
              />
            ))}
          </div>
          <TextInput
            label={m.desk_policies_quick()}
            description={m.desk_policies_quick_hint()}
            readOnly={!mayEdit}
            {...form.field('quick_amounts')}
          />
        </SectionBody>
        {mayEdit && <ReasonFoot form={form} />}
      </Section>
    </form>
  )
}
