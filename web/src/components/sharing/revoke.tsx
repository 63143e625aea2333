import { useUpdate } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { ConfirmDialog } from '../dialogs/confirm.tsx'
import type { Known } from '../permissions/choices.ts'
import { type Reach, type Thing, withoutThing } from './reach.ts'

type Props = { reach: Reach; thing: Thing; workspaces: readonly Known[]; onClose: () => void }

/** Removes a workspace or a panel from the permissions of a person. */
export function Revoke({ reach: { permission, person, by }, thing, workspaces, onClose }: Props) {
  const update = useUpdate('share-permissions')
  const words = { name: person.full_name, thing: (thing.panel ?? thing.workspace).name }
  const confirm = async () => {
    const permissions = withoutThing(permission, workspaces, thing)
    // The row unmounts before the response arrives, so callbacks must not depend on it.
    await update.mutateAsync({ id: permission.id, attributes: { permissions } })
    toast(m.delegate_revoked(words))
    onClose()
  }
  return (
    <ConfirmDialog
      danger
      title={m.delegate_revoke_title(words)}
      text={m.delegate_revoke_text(words)}
      verb={m.delegate_revoke()}
      action={update}
      onConfirm={() => void confirm().catch(() => undefined)}
      onClose={onClose}
    >
      {by === 'all' && <p className="quiet">{m.delegate_revoke_all()}</p>}
    </ConfirmDialog>
  )
}
