import { TextInput } from '@mantine/core'
import { currencySection } from '../../components/money/amount.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import type { Choices, PlanForm } from './plan-values.ts'

type List = Choices['lists'][number]

/** What a price in a list means, and what happens without one. */
function hintOf({ required, default: isDefault, exists, currency }: List): string {
  if (!exists) return `${m.desk_plan_fee_hint()} ${m.desk_plan_fee_begins({ currency })}`
  if (required) return m.desk_plan_fee_hint()
  return isDefault ? m.desk_plan_fee_later({ currency }) : m.desk_plan_fee_own()
}

const labelOf = ({ code, currency, default: isDefault }: List): string =>
  isDefault ? m.desk_plan_fee({ currency }) : m.desk_plan_fee_of({ currency, list: code })

/** The price a month in each price list. */
export function PriceFields({ form: { field }, lists }: { form: PlanForm; lists: readonly List[] }) {
  return (
    <Section id="fees" title={m.desk_plan_fees()} lead={m.desk_plan_fees_lead()}>
      <SectionBody>
        {lists.map((list, at) => (
          <TextInput
            key={list.code}
            label={labelOf(list)}
            description={hintOf(list)}
            required={list.required}
            inputMode="decimal"
            autoComplete="off"
            {...currencySection(list.currency)}
            {...field(`fees.${at}.monthly`)}
          />
        ))}
      </SectionBody>
    </Section>
  )
}
