import { inWords } from '../../api/refusal-words.ts'
import { useDelete } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { ConfirmDialog } from './confirm.tsx'

/** Takes a workspace out of use; the server refuses it while it holds panels, and when it is the last. */
export function ArchiveWorkspace({ id, name }: { id: number; name: string }) {
  const archive = useDelete('projects')
  const confirm = () =>
    archive.mutate(
      { id },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.workspace_archived({ name }))
        },
      },
    )
  return (
    <ConfirmDialog
      danger
      title={m.workspace_archive_title({ name })}
      text={m.workspace_archive_text()}
      verb={m.workspace_archive_verb()}
      busy={archive.isPending}
      refusal={archive.error ? inWords(archive.error) : undefined}
      onConfirm={confirm}
      onClose={closeOverlay}
    />
  )
}
