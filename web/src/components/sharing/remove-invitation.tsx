import { useDelete } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { ConfirmDialog } from '../dialogs/confirm.tsx'

type Props = {
  invitation: { readonly id: number; readonly full_name: string; readonly accepted: boolean }
  onRemoved?: () => void
  onClose: () => void
}

/** Withdraws an invitation, accepted or not, with everything that it shared. */
export function RemoveInvitation({ invitation: { id, full_name, accepted }, onRemoved, onClose }: Props) {
  const remove = useDelete('share-invitations')
  const confirm = async () => {
    // The row unmounts before the response arrives, so callbacks must not depend on it.
    await remove.mutateAsync({ id })
    toast(m.member_removed())
    onClose()
    onRemoved?.()
  }
  return (
    <ConfirmDialog
      danger
      title={m.member_remove_title({ name: full_name })}
      text={m.member_remove_text({ name: full_name })}
      verb={m.delete()}
      action={remove}
      onConfirm={() => void confirm().catch(() => undefined)}
      onClose={onClose}
    >
      {accepted && <p className="quiet">{m.member_remove_ends()}</p>}
    </ConfirmDialog>
  )
}
