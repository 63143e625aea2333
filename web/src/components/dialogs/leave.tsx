import { useNavigate } from '@tanstack/react-router'
import { useAction } from '../../api/write.ts'
import { href } from '../../routes.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { ConfirmDialog } from './confirm.tsx'

/** Gives up everything that an owner has shared, by any of their panels in the reader's list. */
export function Leave({ id, owner: name }: { id: number; owner: string }) {
  const leave = useAction('client-panels', 'leave')
  const navigate = useNavigate()
  const confirm = () =>
    leave.mutate(
      { id, payload: {} },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.shared_left({ name }))
          void navigate({ to: href('dashboard') })
        },
      },
    )
  return (
    <ConfirmDialog
      danger
      title={m.shared_leave_title()}
      text={m.shared_leave_text({ name })}
      verb={m.shared_leave_verb()}
      action={leave}
      onConfirm={confirm}
      onClose={closeOverlay}
    />
  )
}
