import type { PlanDraft } from '@portico/contract/resources/desk-plan-verbs.ts'
import type { Row } from '../../api/rows.ts'
import { meterName } from '../../components/money/words.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Section, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { type Choices, dayUnit, kindNames } from '../plan-form/plan-values.ts'
import { limitsInWords } from './limits.ts'
import { stateWords } from './words.ts'

type Props = { plan: PlanDraft; choices: Choices; state: Row<'desk-plans'>['state'] }

function pricesOf({ plan, choices }: Props): string[] {
  return choices.lists.flatMap(({ code, currency, default: isDefault }) => {
    const monthly = plan.fees.find(({ list }) => list === code)?.monthly
    if (!monthly) return []
    const price = money(Number(monthly), currency)
    return [isDefault ? price : `${price} (${code})`]
  })
}

function includedOf({ plan, choices }: Props): string[] {
  return plan.included.map(({ meter, per_day }) => {
    const unit = choices.meters.find(({ code }) => code === meter)?.unit ?? ''
    return per_day === null ? meterName(meter) : `${meterName(meter)}: ${per_day} ${dayUnit(meter, unit)}`
  })
}

function enginesOf({ plan, choices }: Props): string[] {
  return plan.engines.map(({ engine, plan: name, regions }) => {
    const known = choices.engines.find(({ code }) => code === engine)?.name ?? engine
    return `${known}: ${[name, ...regions].join(', ')}`
  })
}

const joined = (words: readonly string[], none: string) => words.join(' · ') || none

/** What a plan is, what it costs, and what it includes. */
export function PlanFacts(props: Props) {
  const { plan, state } = props
  const { tone, name: stateName } = stateWords[state]
  const title = m.desk_plan_facts()
  const facts = [
    [m.desk_plan_code(), plan.code],
    [m.desk_plan_kind(), kindNames[plan.kind]()],
    [m.desk_plans_prices(), joined(pricesOf(props), m.desk_plan_no_price())],
    [m.desk_plan_included(), joined(includedOf(props), m.desk_plan_nothing())],
    [m.desk_plans_limits(), limitsInWords(plan).join(' · ')],
    [m.desk_plan_engines(), joined(enginesOf(props), m.desk_plan_no_engine())],
  ] as const
  return (
    <Section id="facts" title={title} aside={<Status tone={tone}>{stateName()}</Status>}>
      <SectionList label={title}>
        {facts.map(([name, value]) => (
          <SectionRow key={name} title={name} text={value} />
        ))}
      </SectionList>
    </Section>
  )
}
