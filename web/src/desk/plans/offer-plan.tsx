import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { action as reading } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { Refusal } from '../../components/form-foot/form-foot.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionFoot } from '../../ui/section.tsx'
import { because } from '../verbs/verb-dialog.tsx'
import { PlansPreview } from './preview.tsx'
import { PublishPlans } from './publish.tsx'
import type { Preview } from './words.ts'

type File = { readonly plans: readonly { readonly code: string; readonly state: string }[] }

/** The file in which a plan is offered. */
function withOffered(text: string, code: string): string {
  // The text is the server's own file.
  const file = JSON.parse(text) as File
  const plans = file.plans.map((plan) => (plan.code === code ? { ...plan, state: 'offered' } : plan))
  return JSON.stringify({ ...file, plans })
}

/** Compares the file in which a draft is offered, and publishes what was compared. */
export function OfferPlan({ code }: { code: string }) {
  const client = useQueryClient()
  const action = useAction('desk-plans', 'previewPlans')
  const [seen, setSeen] = useState<{ readonly text: string; readonly preview: Preview }>()
  const compare = async () => {
    try {
      const file = await client.fetchQuery(reading('desk-plans', 'file', { payload: {} }))
      const text = withOffered(file.text, code)
      const headers = because(m.desk_plans_preview_reason())
      setSeen({ text, preview: await action.mutateAsync({ payload: { text }, headers }) })
    } catch (error) {
      toast(inWords(error), undefined, 'bad')
    }
  }
  const mayPublish = seen && seen.preview.faults.length === 0 && seen.preview.total > 0
  return (
    <>
      <Section id="offer" title={m.desk_plan_offer()} lead={m.desk_plan_offer_lead()}>
        <SectionFoot
          note={<Refusal>{seen?.preview.faults.length ? m.desk_plan_offer_faults() : undefined}</Refusal>}
        >
          <Button
            variant={mayPublish ? 'default' : 'filled'}
            loading={action.isPending}
            onClick={() => void compare()}
          >
            {m.desk_plans_preview()}
          </Button>
          {mayPublish && (
            <PublishPlans file={{ ...seen.preview, text: seen.text }} onDone={() => setSeen(undefined)} />
          )}
        </SectionFoot>
      </Section>
      {seen && <PlansPreview preview={seen.preview} />}
    </>
  )
}
