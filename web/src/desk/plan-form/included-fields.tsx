import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { meterName } from '../../components/money/words.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import classes from './plan-form.module.css'
import { type Choices, dayUnit, type PlanForm } from './plan-values.ts'

type Props = { form: PlanForm; meters: Choices['meters'] }

/** What the price a month includes, picked from the meters. All other use is charged besides. */
export function IncludedFields({ form: { form, field }, meters }: Props) {
  const { included } = form.values
  const [picked, setPicked] = useState('')
  const choice = useRef<HTMLSelectElement>(null)
  const left = meters.filter(({ code }) => !included.some(({ meter }) => meter === code))
  const unitOf = (meter: string) => meters.find(({ code }) => code === meter)?.unit ?? ''
  const add = () => {
    form.insertListItem('included', { meter: picked, per_day: '' })
    setPicked('')
    choice.current?.focus()
  }
  const remove = (at: number) => {
    form.removeListItem('included', at)
    // The pressed button is gone.
    choice.current?.focus()
  }
  return (
    <Section id="included" title={m.desk_plan_included()} lead={m.desk_plan_included_lead()}>
      <SectionBody>
        <ul className={classes.rows} aria-label={m.desk_plan_included()}>
          {included.map(({ meter }, at) => (
            <li key={meter}>
              <TextInput
                label={meterName(meter)}
                description={dayUnit(meter, unitOf(meter))}
                placeholder={m.desk_plan_all()}
                // A fault above the input leaves the button next to it where it is.
                inputWrapperOrder={['label', 'description', 'error', 'input']}
                inputMode="decimal"
                autoComplete="off"
                {...field(`included.${at}.per_day`)}
              />
              <Button variant="default" onClick={() => remove(at)}>
                {m.remove()}
                <span className="unseen"> {meterName(meter)}</span>
              </Button>
            </li>
          ))}
        </ul>
        <div className={classes.add}>
          <NativeSelect
            ref={choice}
            label={m.desk_plan_include()}
            value={picked}
            data={[
              { value: '', label: m.choose() },
              ...left.map(({ code }) => ({ value: code, label: meterName(code) })),
            ]}
            onChange={({ currentTarget }) => setPicked(currentTarget.value)}
          />
          <Button variant="default" disabled={picked === ''} onClick={add}>
            {m.desk_plan_include_verb()}
          </Button>
        </div>
      </SectionBody>
    </Section>
  )
}
