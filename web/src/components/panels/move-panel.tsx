import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { useUpdate } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { ConfirmDialog } from '../dialogs/confirm.tsx'

/** Moves a panel to another workspace of its owner. */
export function MovePanel({ id, name, projectId }: { id: number; name: string; projectId: number }) {
  const { all } = useWorkspaces()
  const others = all.filter((workspace) => workspace.id !== projectId)
  const [chosen, setChosen] = useState(others[0]?.id)
  const update = useUpdate('panels')
  const workspace = others.find((other) => other.id === chosen)
  const move = () =>
    workspace &&
    update.mutate(
      { id, relationships: { project: { type: 'projects', id: workspace.id } } },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.panel_moved({ name, workspace: workspace.name }))
        },
      },
    )
  return (
    <ConfirmDialog
      title={m.panel_move_title({ name })}
      text={m.panel_move_text()}
      verb={m.panel_move_verb()}
      action={update}
      onConfirm={move}
      onClose={closeOverlay}
    >
      <NativeSelect
        mt={16}
        label={m.workspace()}
        value={chosen}
        data={others.map((other) => ({ value: String(other.id), label: other.name }))}
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
      />
    </ConfirmDialog>
  )
}
