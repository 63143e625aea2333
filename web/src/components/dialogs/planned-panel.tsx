import { Button, Group, TextInput } from '@mantine/core'
import { panels } from '@portico/contract/resources/panels.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { ActionOf, Output } from '../../api/actions.ts'
import { fieldFault } from '../../api/field-fault.ts'
import { useCreate } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Refusal } from '../form-foot/form-foot.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'
import classes from '../plans/plan-choice.module.css'
import { PlanChoice, RegionChoice } from '../plans/plan-choice.tsx'
import { PlanQuote, usePlanQuote } from '../plans/plan-quote.tsx'

type Offers = Output<ActionOf<'plans', 'offers'>>
type Props = { projectId: number; clientId: number; offers: Offers; onRefused: () => Promise<unknown> }

/** The state of the form. A region and a domain are sent only if the plan asks for them. */
function usePanelForm({ projectId, clientId, offers, onRefused }: Props) {
  const create = useCreate('panels')
  const first = offers.plans.find(({ available }) => available) ?? offers.plans[0]
  const [values, setValues] = useState({ plan: first?.code ?? '', region: '', domain: '', name: '' })
  const [touched, setTouched] = useState(false)
  const quote = usePlanQuote(values.plan, clientId)
  const plan = offers.plans.find(({ code }) => code === values.plan)
  const regions = plan !== undefined && plan.regions.length > 1 ? plan.regions : []
  const region = regions.includes(values.region) ? values.region : (regions[0] ?? null)
  const name = z.safeParse(panels.attributes.name, values.name)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTouched(true)
    if (!name.success) return event.currentTarget.querySelector<HTMLInputElement>('[name=name]')?.focus()
    const domain = plan?.needs_domain && values.domain.trim() !== '' ? values.domain : null
    create.mutate(
      {
        attributes: { name: name.data, plan_code: values.plan, region, domain },
        relationships: { project: { type: 'projects', id: projectId } },
      },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.panel_added({ name: name.data }))
        },
        // The price, the balance or what is offered may have changed since the quote.
        onError: () => void Promise.all([quote.refetch(), onRefused()]),
      },
    )
  }
  const about = (field: 'plan_code' | 'region' | 'domain' | 'name') => create.error?.about(field) ?? undefined
  const nameFault = name.success ? about('name') : fieldFault(name.error.issues[0]?.message ?? '')
  const atField = (['plan_code', 'region', 'domain', 'name'] as const).some((field) => about(field))
  const isRefused = quote.data?.plan === values.plan && quote.data.can === false
  const set = (changed: Partial<typeof values>) => setValues((before) => ({ ...before, ...changed }))
  /** Another choice is another order: what was refused was not about it. */
  const choose = (changed: Partial<typeof values>) => {
    create.reset()
    set(changed)
  }
  return {
    values,
    set,
    choose,
    plan,
    regions,
    region,
    about,
    nameFault: touched ? nameFault : undefined,
    refusal: atField || isRefused ? undefined : create.error?.message,
    busy: create.isPending,
    quote,
    isRefused,
    submit,
  }
}

/** Orders a panel: its plan, a region and a domain where the plan has them, its name, and what that costs. */
export function PlannedPanel(props: Props) {
  const { offers, clientId } = props
  const form = usePanelForm(props)
  const { values, set, choose, plan, regions, region, about } = form
  const place = useRef<HTMLFormElement>(null)
  // The dialog was open before there was anything to focus.
  useEffect(() => place.current?.querySelector<HTMLInputElement>(':checked')?.focus(), [])
  return (
    <form ref={place} noValidate onSubmit={form.submit} className={classes.fields}>
      <PlanChoice
        plans={offers.plans}
        currency={offers.currency}
        value={values.plan}
        fault={about('plan_code')}
        onChange={(code) => choose({ plan: code })}
      />
      {regions.length > 0 && (
        <RegionChoice
          regions={regions}
          value={region ?? ''}
          fault={about('region')}
          onChange={(chosen) => choose({ region: chosen })}
        />
      )}
      {plan?.needs_domain && (
        <TextInput
          label={m.plan_domain()}
          name="domain"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="example.com"
          value={values.domain}
          error={about('domain')}
          onChange={(event) => set({ domain: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={m.panel_name()}
        name="name"
        autoComplete="off"
        value={values.name}
        error={form.nameFault}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {values.plan !== '' && <PlanQuote quote={form.quote} clientId={clientId} />}
      <Refusal>{form.refusal}</Refusal>
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={closeOverlay}>
          {m.cancel()}
        </Button>
        <SubmitButton loading={form.busy} disabled={form.isRefused}>
          {m.panel_add()}
        </SubmitButton>
      </Group>
    </form>
  )
}
