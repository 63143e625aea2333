import { panels } from '@portico/contract/resources/panels.ts'
import * as z from 'zod/mini'
import { useUpdate } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { NameDialog } from './name-dialog.tsx'

export function EditPanel({ id, name: initial }: { id: number; name: string }) {
  const update = useUpdate('panels')
  const submit = (name: string) =>
    update.mutate(
      { id, attributes: { name } },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.panel_saved({ name }))
        },
      },
    )
  return (
    <NameDialog
      title={m.panel_edit()}
      label={m.panel_name()}
      verb={m.save()}
      initial={initial}
      check={(name) => z.safeParse(panels.attributes.name, name)}
      busy={update.isPending}
      refused={update.error?.about('name') ?? update.error?.message}
      onSubmit={submit}
    />
  )
}
