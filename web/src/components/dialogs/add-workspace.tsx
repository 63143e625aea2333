import { projects } from '@portico/contract/resources/projects.ts'
import { useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { useCreate } from '../../api/write.ts'
import { href } from '../../routes.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { NameDialog } from './name-dialog.tsx'

/** Creates a workspace; the server makes it the current one. */
export function AddWorkspace() {
  const navigate = useNavigate()
  const create = useCreate('projects')
  const submit = (name: string) =>
    create.mutate(
      { attributes: { name } },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.workspace_created(), m.workspace_created_text())
          void navigate({ to: href('dashboard') })
        },
        onError: () => toast(m.error_popup(), m.error_occurred(), 'bad'),
      },
    )
  return (
    <NameDialog
      title={m.workspace_add()}
      label={m.workspace_name()}
      verb={m.workspace_create()}
      check={(name) => z.safeParse(projects.attributes.name, name)}
      busy={create.isPending}
      refused={create.error?.about('name') ?? create.error?.message}
      onInvalid={() => toast(m.error_popup(), m.error_occurred(), 'bad')}
      onSubmit={submit}
    />
  )
}
