import { useDelete } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { ConfirmDialog } from './confirm.tsx'

/** Deletes a workspace; the server refuses it while it contains panels or is the last one. */
export function DeleteWorkspace({ id, name }: { id: number; name: string }) {
  const remove = useDelete('projects')
  const confirm = () =>
    remove.mutate(
      { id },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.workspace_deleted({ name }))
        },
      },
    )
  return (
    <ConfirmDialog
      danger
      title={m.workspace_delete_title({ name })}
      text={m.workspace_delete_text()}
      verb={m.workspace_delete_verb()}
      action={remove}
      onConfirm={confirm}
      onClose={closeOverlay}
    />
  )
}
