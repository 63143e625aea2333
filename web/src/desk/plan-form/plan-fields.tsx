import { NativeSelect, TextInput } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import classes from './plan-form.module.css'
import { codeOf, kindNames, type Limit, limitLabels, type PlanForm, type PlanValues } from './plan-values.ts'

type Of = { form: PlanForm }

/** The names of the plan. Its code follows the English one until the person writes another. */
export function Names({ form: { form, field }, isNew }: Of & { isNew: boolean }) {
  const name = (next: string) => {
    const { code, name_en: before } = form.getValues()
    form.setFieldValue('name_en', next)
    if (isNew && (code === '' || code === codeOf(before))) form.setFieldValue('code', codeOf(next))
  }
  const isFilled = form.values.name_en !== ''
  return (
    <Section id="names" title={m.desk_plan_names()} lead={m.desk_plan_names_lead()}>
      <SectionBody>
        <div className={classes.pair}>
          <TextInput
            label={m.desk_plan_name_en()}
            required
            maxLength={60}
            autoFocus={!isFilled}
            {...field('name_en')}
            onChange={({ currentTarget }) => name(currentTarget.value)}
          />
          <TextInput label={m.desk_plan_name_ro()} required maxLength={60} {...field('name_ro')} />
        </div>
        <TextInput
          label={m.desk_plan_code()}
          description={isNew ? m.desk_plan_code_hint() : m.desk_plan_code_kept()}
          required={isNew}
          readOnly={!isNew}
          maxLength={40}
          spellCheck={false}
          autoFocus={isNew && isFilled && form.values.code === ''}
          {...field('code')}
        />
        <TextInput
          label={m.desk_plan_text_en()}
          description={m.desk_plan_text_hint()}
          maxLength={500}
          {...field('description_en')}
        />
        <TextInput label={m.desk_plan_text_ro()} maxLength={500} {...field('description_ro')} />
        <Kind form={form} />
      </SectionBody>
    </Section>
  )
}

function Kind({ form }: { form: PlanForm['form'] }) {
  // The keys are those of the contract.
  const kinds = Object.keys(kindNames) as PlanValues['kind'][]
  return (
    <NativeSelect
      label={m.desk_plan_kind()}
      description={m.desk_plan_kind_hint()}
      data={kinds.map((value) => ({ value, label: kindNames[value]() }))}
      {...form.getInputProps('kind')}
    />
  )
}

/** The most that a panel of the plan may hold. */
export function Limits({ form: { field } }: Of) {
  // The keys are those of the contract.
  const limits = Object.keys(limitLabels) as Limit[]
  return (
    <Section id="limits" title={m.desk_plans_limits()} lead={m.desk_plan_limits_lead()}>
      <SectionBody>
        <div className={classes.pair}>
          {limits.map((limit) => (
            <TextInput
              key={limit}
              label={limitLabels[limit]()}
              placeholder={m.desk_plan_no_limit()}
              inputMode="numeric"
              autoComplete="off"
              {...field(`limits.${limit}`)}
            />
          ))}
        </div>
      </SectionBody>
    </Section>
  )
}
