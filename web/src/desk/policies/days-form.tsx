import { NativeSelect, TextInput } from '@mantine/core'
import { fault } from '@portico/contract/refusals/fields.ts'
import * as z from 'zod/mini'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import classes from '../company/company.module.css'
import { reasonRule, wholeNumber } from '../verbs/form-rules.ts'
import { ReasonFoot } from '../verbs/reason-foot.tsx'
import { useShownAsSaved } from '../verbs/shown-as-saved.ts'
import { because } from '../verbs/verb-dialog.tsx'

const days = z.string().check(z.regex(/^\s*(\d{1,3}(\s*[,; ]\s*\d{1,3})*)?\s*$/, fault('value_not_whole')))

const rules = z.object({
  low_days: days,
  negative_days: days,
  warned_letter_days: days,
  warn_days: wholeNumber,
  suspend_days: wholeNumber,
  terminate_days: wholeNumber,
  trial_days: wholeNumber,
  days_ahead: wholeNumber,
  price_notice_days: wholeNumber,
  suspended_fee: z.enum(['stops', 'goes_on']),
  reason: reasonRule,
})

type Values = z.output<typeof rules>
type Numbers =
  | 'warn_days'
  | 'suspend_days'
  | 'terminate_days'
  | 'trial_days'
  | 'days_ahead'
  | 'price_notice_days'
type Lists = 'low_days' | 'negative_days' | 'warned_letter_days'

const valuesOf = (policy: Row<'billing-policies'>): Values => ({
  low_days: policy.low_days.join(', '),
  negative_days: policy.negative_days.join(', '),
  warned_letter_days: policy.warned_letter_days.join(', '),
  warn_days: String(policy.warn_days),
  suspend_days: String(policy.suspend_days),
  terminate_days: String(policy.terminate_days),
  trial_days: String(policy.trial_days),
  days_ahead: String(policy.days_ahead),
  price_notice_days: String(policy.price_notice_days),
  suspended_fee: policy.suspended_fee,
  reason: '',
})

const listed = (text: string) => (text.match(/\d+/g) ?? []).map(Number)

const onTheWire = ({ reason: _, ...values }: Values) => ({
  low_days: listed(values.low_days),
  negative_days: listed(values.negative_days),
  warned_letter_days: listed(values.warned_letter_days),
  warn_days: Number(values.warn_days),
  suspend_days: Number(values.suspend_days),
  terminate_days: Number(values.terminate_days),
  trial_days: Number(values.trial_days),
  days_ahead: Number(values.days_ahead),
  price_notice_days: Number(values.price_notice_days),
  suspended_fee: values.suspended_fee,
})

const debts = (): readonly (readonly [Lists | Numbers, label: string, hint: string])[] => [
  ['low_days', m.desk_policies_low(), m.desk_policies_low_hint()],
  ['negative_days', m.desk_policies_negative(), m.desk_policies_negative_hint()],
  ['warn_days', m.desk_policies_warn(), m.desk_policies_days_hint()],
  ['warned_letter_days', m.desk_policies_warned(), m.desk_policies_warned_hint()],
  ['suspend_days', m.desk_policies_suspend(), m.desk_policies_days_hint()],
  ['terminate_days', m.desk_policies_terminate(), m.desk_policies_terminate_hint()],
]

const prices = (): readonly (readonly [Numbers, label: string, hint: string])[] => [
  ['trial_days', m.desk_policies_trial(), m.desk_policies_trial_hint()],
  ['days_ahead', m.desk_policies_ahead(), m.desk_policies_ahead_hint()],
  ['price_notice_days', m.desk_policies_notice(), m.desk_policies_notice_hint()],
]

/** The rules of debts, trials and prices, in days. */
export function DaysForm({ policy }: { policy: Row<'billing-policies'> }) {
  const action = useAction('billing-policies', 'editPolicy')
  const initial = valuesOf(policy)
  const form = useSavingForm<Values>({
    name: 'desk-policy',
    initial,
    schema: rules,
    save: async (values) => {
      const payload = onTheWire(values)
      await action.mutateAsync({ id: policy.id, payload, headers: because(values.reason) })
      toast(m.desk_policies_saved())
    },
  })
  useShownAsSaved(form, initial, policy.updatedAt)
  const mayEdit = policy.may.editPolicy
  const fields = (parts: ReturnType<typeof debts>) => (
    <div className={classes.pair}>
      {parts.map(([name, label, description]) => (
        <TextInput
          key={name}
          label={label}
          description={description}
          inputMode="numeric"
          readOnly={!mayEdit}
          {...form.field(name)}
        />
      ))}
    </div>
  )
  return (
    <form className={classes.page} {...form.formProps}>
      <Section id="debts" title={m.desk_policies_debts()}>
        <SectionBody>{fields(debts())}</SectionBody>
      </Section>
      <Section id="trials" title={m.desk_policies_trials()}>
        <SectionBody>
          {fields(prices())}
          <NativeSelect
            label={m.desk_policies_fee()}
            disabled={!mayEdit}
            data={[
              { value: 'stops', label: m.desk_policies_fee_stops() },
              { value: 'goes_on', label: m.desk_policies_fee_goes_on() },
            ]}
            {...form.field('suspended_fee')}
          />
        </SectionBody>
        {mayEdit && <ReasonFoot form={form} />}
      </Section>
    </form>
  )
}
