import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { planName } from '../../components/plans/words.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { deskHref } from '../routes.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

/** Deletes a plan that was never offered, and leaves its page. */
export function DeleteDraft({ plan }: { plan: Row<'desk-plans'> }) {
  const navigate = useNavigate()
  const action = useAction('desk-plans', 'deleteDraft')
  const [isOpen, setOpen] = useState(false)
  const onSuccess = () => {
    toast(m.desk_plan_deleted())
    void navigate({ to: deskHref('plans') })
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {m.desk_plan_delete()}
      </Button>
      {isOpen && (
        <VerbDialog
          title={m.desk_plan_delete_title({ name: planName(plan) })}
          text={m.desk_plan_delete_text()}
          verb={m.desk_plan_delete()}
          danger
          action={action}
          onConfirm={(reason) =>
            action.mutate({ id: plan.id, payload: {}, headers: because(reason) }, { onSuccess })
          }
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
