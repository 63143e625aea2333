import { panels } from '@portico/contract/resources/panels.ts'
import * as z from 'zod/mini'
import { useCreate } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { NameDialog } from './name-dialog.tsx'

/** Orders a panel in a workspace; the engine provisions it, and its card shows the progress. */
export function AddPanel({ projectId }: { projectId: number }) {
  const create = useCreate('panels')
  const submit = (name: string) =>
    create.mutate(
      { attributes: { name }, relationships: { project: { type: 'projects', id: projectId } } },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.panel_added({ name }))
        },
      },
    )
  return (
    <NameDialog
      title={m.panel_add()}
      label={m.panel_name()}
      verb={m.panel_add()}
      check={(name) => z.safeParse(panels.attributes.name, name)}
      busy={create.isPending}
      refused={create.error?.about('name') ?? create.error?.message}
      onSubmit={submit}
    />
  )
}
