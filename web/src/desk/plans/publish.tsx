import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { wholeList } from '../../api/query.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

/** A previewed file: the text, and the word for what it was compared with. */
export type Publishable = { readonly text: string; readonly state: string; readonly total: number }

/** Publishes what was previewed, with a reason. */
export function PublishPlans({ file, onDone }: { file: Publishable; onDone: () => void }) {
  const action = useAction('desk-plans', 'publishPlans')
  const plans = useQuery(wholeList('desk-plans'))
  const [isOpen, setOpen] = useState(false)
  const { text, state, total } = file
  const confirm = (reason: string) =>
    action.mutate(
      { payload: { text, state }, headers: because(reason) },
      {
        onSuccess: ({ changes }) => {
          setOpen(false)
          toast(m.desk_plans_published({ count: changes }))
          onDone()
        },
      },
    )
  return (
    <>
      <Button onClick={() => setOpen(true)}>{m.desk_plans_publish()}</Button>
      {isOpen && (
        <VerbDialog
          title={m.desk_plans_publish_title({ count: total })}
          text={m.desk_plans_publish_text()}
          verb={m.desk_plans_publish()}
          isFirst={plans.data?.items.every((plan) => plan.state === 'draft') ?? false}
          action={action}
          onConfirm={confirm}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
