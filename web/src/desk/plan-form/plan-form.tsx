import { Button, Checkbox } from '@mantine/core'
import { fault } from '@portico/contract/refusals/fields.ts'
import type { PlanDraft } from '@portico/contract/resources/desk-plan-verbs.ts'
import { useNavigate } from '@tanstack/react-router'
import { fieldFault } from '../../api/field-fault.ts'
import { AskBeforeLeaving } from '../../components/forms/ask-before-leaving.tsx'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import '../../ui/styles/checkbox.ts'
import { deskHref } from '../routes.ts'
import { ReasonFoot } from '../verbs/reason-foot.tsx'
import { EnginePlan, EngineRegions } from './engine-fields.tsx'
import { IncludedFields } from './included-fields.tsx'
import { Limits, Names } from './plan-fields.tsx'
import classes from './plan-form.module.css'
import {
  type Choices,
  onTheWire,
  type PlanForm,
  type PlanValues,
  planRules,
  valuesOf,
} from './plan-values.ts'
import { PriceFields } from './price-fields.tsx'

/** A list that each plan has a price in. */
function priceFaults({ fees }: PlanValues, { lists }: Choices) {
  const at = lists.findIndex((list) => list.required)
  return fees[at]?.monthly.trim() === ''
    ? { [`fees.${at}.monthly`]: fieldFault(fault('value_required')) }
    : {}
}

function Engines({ form, engines }: { form: PlanForm; engines: Choices['engines'] }) {
  return (
    <Section id="engines" title={m.desk_plan_engines()} lead={m.desk_plan_engines_lead()}>
      <SectionBody>
        {engines.length === 0 && <p>{m.desk_plan_engines_none()}</p>}
        {engines.map((engine) => (
          <EnginePlan key={engine.code} form={form} engine={engine} />
        ))}
        <details className={classes.more}>
          <summary>{m.desk_plan_more()}</summary>
          <Checkbox
            label={m.desk_plan_domain()}
            description={m.desk_plan_domain_hint()}
            {...form.form.getInputProps('needs_domain', { type: 'checkbox' })}
          />
          {engines.map((engine) => (
            <EngineRegions key={engine.code} form={form} engine={engine} />
          ))}
        </details>
      </SectionBody>
      <ReasonFoot form={form} />
    </Section>
  )
}

type Props = {
  /** The name under which what is typed is kept. */
  name: string
  plan: PlanDraft
  choices: Choices
  /** It is the first plan: nobody has to say why. */
  isFirst?: boolean
  /** A new plan, whose code can be chosen. */
  isNew?: boolean
  /** Saves the draft, and answers its code. */
  save: (draft: PlanDraft, reason: string) => Promise<{ readonly code: string }>
}

/** The form of a plan that is not offered yet. */
export function PlanFields({ name, plan, choices, isFirst = false, isNew = false, save }: Props) {
  const navigate = useNavigate()
  const reason = isFirst ? m.desk_verb_reason_first() : ''
  const form = useSavingForm<PlanValues>({
    name,
    initial: valuesOf(plan, choices, reason),
    schema: planRules,
    nested: true,
    alsoCheck: (values) => priceFaults(values, choices),
    save: async (values) => {
      const { code } = await save(onTheWire(values), values.reason)
      toast(m.desk_plan_saved())
      // What is saved is left without a question.
      await navigate({ to: deskHref('plan', { code }), ignoreBlocker: true })
    },
  })
  const begin = () => {
    form.form.setValues(valuesOf(choices.example, choices, reason))
    form.form.getInputNode('fees.0.monthly')?.focus()
  }
  return (
    <>
      {isFirst && (
        <div className={classes.begin}>
          <p>{m.desk_plan_example_text()}</p>
          <Button variant="default" onClick={begin}>
            {m.desk_plan_example()}
          </Button>
        </div>
      )}
      <form className={classes.page} {...form.formProps}>
        <Names form={form} isNew={isNew} />
        <PriceFields form={form} lists={choices.lists} />
        <IncludedFields form={form} meters={choices.meters} />
        <Limits form={form} />
        <Engines form={form} engines={choices.engines} />
      </form>
      <AskBeforeLeaving />
    </>
  )
}
