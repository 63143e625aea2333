import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { action as reading } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { Refusal } from '../../components/form-foot/form-foot.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody, SectionFoot } from '../../ui/section.tsx'
import '../../ui/styles/checkbox.ts'
import { because } from '../verbs/verb-dialog.tsx'
import { type OfferFile, offeredText, unsoldIn } from './offer-file.ts'
import { PlansPreview } from './preview.tsx'
import { PublishPlans } from './publish.tsx'
import type { Preview } from './words.ts'

type Unsold = {
  lists: ReturnType<typeof unsoldIn>
  left: readonly string[]
  onLeft: (left: string[]) => void
}

/** Lets a currency go that no plan has a price in. */
function UnsoldCurrencies({ lists, left, onLeft }: Unsold) {
  if (lists.length === 0) return null
  return (
    <SectionBody>
      {lists.map(({ code, currency }) => (
        <Checkbox
          key={code}
          label={m.desk_plan_unsold({ currency })}
          description={m.desk_plan_unsold_hint({ currency })}
          checked={left.includes(code)}
          onChange={({ currentTarget }) =>
            onLeft(currentTarget.checked ? [...left, code] : left.filter((one) => one !== code))
          }
        />
      ))}
    </SectionBody>
  )
}

function Offer({ code, file }: { code: string; file: OfferFile }) {
  const action = useAction('desk-plans', 'previewPlans')
  const [left, setLeft] = useState<readonly string[]>([])
  const [seen, setSeen] = useState<{ readonly text: string; readonly preview: Preview }>()
  const text = offeredText(file, code, left)
  // What was compared is shown until something else would be published.
  const current = seen?.text === text ? seen : undefined
  const compare = async () => {
    try {
      const headers = because(m.desk_plans_preview_reason())
      setSeen({ text, preview: await action.mutateAsync({ payload: { text }, headers }) })
    } catch (error) {
      toast(inWords(error), undefined, 'bad')
    }
  }
  const mayPublish = current && current.preview.faults.length === 0 && current.preview.total > 0
  return (
    <>
      <Section id="offer" title={m.desk_plan_offer()} lead={m.desk_plan_offer_lead()}>
        <UnsoldCurrencies lists={unsoldIn(file, code)} left={left} onLeft={setLeft} />
        <SectionFoot
          note={<Refusal>{current?.preview.faults.length ? m.desk_plan_offer_faults() : undefined}</Refusal>}
        >
          <Button
            variant={mayPublish ? 'default' : 'filled'}
            loading={action.isPending}
            onClick={() => void compare()}
          >
            {m.desk_plans_preview()}
          </Button>
          {mayPublish && (
            <PublishPlans file={{ ...current.preview, text }} onDone={() => setSeen(undefined)} />
          )}
        </SectionFoot>
      </Section>
      {current && <PlansPreview preview={current.preview} />}
    </>
  )
}

// The text is the server's own file.
const fileIn = (text: string) => JSON.parse(text) as OfferFile

/** Compares the file in which a draft is offered, and publishes what was compared. */
export function OfferPlan({ code }: { code: string }) {
  const query = useQuery(reading('desk-plans', 'file', { payload: {} }))
  return (
    <Loaded query={query} rows={3}>
      {({ text }) => <Offer code={code} file={fileIn(text)} />}
    </Loaded>
  )
}
