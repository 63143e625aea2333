import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'
import type { Choices, PlanForm } from './plan-values.ts'

type Engine = Choices['engines'][number]
type Props = { form: PlanForm; engine: Engine }

/** Under which name an engine carries the plan, if it does. */
export function EnginePlan({ form: { form }, engine }: Props) {
  const { engines } = form.values
  const at = engines.findIndex((one) => one.engine === engine.code)
  const value = engines[at]?.plan ?? ''
  const change = (plan: string) => {
    if (plan === '') form.removeListItem('engines', at)
    else if (at < 0) form.insertListItem('engines', { engine: engine.code, plan, regions: [] })
    else form.setFieldValue(`engines.${at}.plan`, plan)
  }
  const error = form.errors[`engines.${at}.plan`] ?? form.errors[`engines.${at}.engine`]
  const common = { label: m.desk_plan_engine({ engine: engine.name }), value, error }
  // An engine that says nothing of its plans still has to be told one.
  if (engine.plans.length === 0)
    return (
      <TextInput
        description={m.desk_plan_engine_unknown()}
        {...common}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    )
  const known = engine.plans.includes(value) || value === '' ? engine.plans : [...engine.plans, value]
  return (
    <NativeSelect
      description={m.desk_plan_engine_hint()}
      {...common}
      data={[
        { value: '', label: m.desk_plan_engine_none() },
        ...known.map((plan) => ({ value: plan, label: plan })),
      ]}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

/** The regions in which an engine makes panels of the plan. */
export function EngineRegions({ form: { form }, engine }: Props) {
  const at = form.values.engines.findIndex((one) => one.engine === engine.code)
  if (at < 0 || engine.regions.length === 0) return null
  return (
    <Checkbox.Group
      label={m.desk_plan_regions({ engine: engine.name })}
      description={m.desk_plan_regions_hint()}
      {...form.getInputProps(`engines.${at}.regions`)}
    >
      {engine.regions.map((region) => (
        <Checkbox key={region} value={region} label={region} mt={8} />
      ))}
    </Checkbox.Group>
  )
}
