import { projects } from '@portico/contract/resources/projects.ts'
import * as z from 'zod/mini'
import { useUpdate } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { NameDialog } from './name-dialog.tsx'

/** Renames a workspace. */
export function RenameWorkspace({ id, name: initial }: { id: number; name: string }) {
  const update = useUpdate('projects')
  const submit = (name: string) =>
    update.mutate(
      { id, attributes: { name } },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.workspace_renamed({ name }))
        },
      },
    )
  return (
    <NameDialog
      title={m.workspace_rename()}
      label={m.workspace_name()}
      verb={m.save()}
      initial={initial}
      check={(name) => z.safeParse(projects.attributes.name, name)}
      busy={update.isPending}
      refused={update.error?.about('name') ?? update.error?.message}
      onSubmit={submit}
    />
  )
}
