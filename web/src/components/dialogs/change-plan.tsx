import { Button, Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ActionOf, Output } from '../../api/actions.ts'
import { action } from '../../api/query.ts'
import { useAction } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { Refusal } from '../form-foot/form-foot.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'
import { Loaded } from '../loaded.tsx'
import { ChangeQuote } from '../plans/change-quote.tsx'
import classes from '../plans/plan-choice.module.css'
import { PlanChoice } from '../plans/plan-choice.tsx'

type Offers = Output<ActionOf<'plans', 'offers'>>
type Props = { id: number; clientId: number; plan: string | null }

/** Chooses another plan, and confirms the price that is shown. */
function OtherPlan({ id, clientId, plan: present, offers }: Props & { offers: Offers }) {
  const others = offers.plans.filter(({ code }) => code !== present)
  const [plan, setPlan] = useState(others.find(({ available }) => available)?.code ?? '')
  const quote = useQuery({
    ...action('panels', 'quotePlan', { id, payload: { plan } }),
    enabled: plan !== '',
    placeholderData: keepPreviousData,
  })
  const change = useAction('panels', 'changePlan')
  // While the quote of another plan is still shown, nothing can be confirmed.
  const known = quote.data?.plan === plan ? quote.data : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!known) return
    const expects = { monthly: known.monthly?.after ?? null, currency: known.currency }
    change.mutate(
      { id, payload: { plan, expects } },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.plan_change_asked())
        },
        // The price or the panel is another by now, so the quote is too.
        onError: () => quote.refetch(),
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className={classes.fields}>
      <PlanChoice
        plans={others}
        currency={offers.currency}
        value={plan}
        fault={undefined}
        onChange={(code) => {
          change.reset()
          setPlan(code)
        }}
      />
      {plan !== '' && <ChangeQuote quote={quote} clientId={clientId} />}
      <Refusal>{known?.can === false ? undefined : change.error?.message}</Refusal>
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={closeOverlay}>
          {m.cancel()}
        </Button>
        <SubmitButton loading={change.isPending} disabled={known?.can !== true}>
          {m.plan_change()}
        </SubmitButton>
      </Group>
    </form>
  )
}

/** Changes the plan of a panel, with what it costs before and after. */
export function ChangePlan(props: Props) {
  useFocusBack()
  const offers = useQuery(action('plans', 'offers', { payload: { client_id: props.clientId } }))
  return (
    <Modal
      opened
      size={560}
      onClose={closeOverlay}
      title={m.plan_change()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <Loaded query={offers} rows={4}>
        {(data) => <OtherPlan {...props} offers={data} />}
      </Loaded>
    </Modal>
  )
}
