import { panels } from '@portico/contract/resources/panels.ts'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { action } from '../../api/query.ts'
import { useCreate } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { Loaded } from '../loaded.tsx'
import { Obstacles, obstaclesOf } from '../plans/obstacles.tsx'
import { NameDialog } from './name-dialog.tsx'
import { PlannedPanel } from './planned-panel.tsx'

type Props = { projectId: number; clientId: number }

/** Orders a panel by its name alone, as long as no plan is offered. A missing sum is said by the refusal. */
function NamedPanel({ projectId, clientId }: Props) {
  const create = useCreate('panels')
  const { error } = create
  const refusal = error?.isAnswer && error.status !== 422 ? obstaclesOf(error) : undefined
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
      refused={refusal ? undefined : (error?.about('name') ?? error?.message)}
      onSubmit={submit}
    >
      <div role="alert" style={{ marginTop: refusal && 16 }}>
        {refusal && <Obstacles quote={refusal} clientId={clientId} />}
      </div>
    </NameDialog>
  )
}

/** Orders a panel in a workspace; the engine provisions it, and its card shows the progress. */
export function AddPanel({ projectId, clientId }: Props) {
  useFocusBack()
  const offers = useQuery(action('plans', 'offers', { payload: { client_id: clientId } }))
  if (offers.data?.plans.length === 0) return <NamedPanel projectId={projectId} clientId={clientId} />
  return (
    <Modal
      opened
      size={560}
      onClose={closeOverlay}
      title={m.panel_add()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <Loaded query={offers} rows={4}>
        {(data) => (
          <PlannedPanel projectId={projectId} clientId={clientId} offers={data} onRefused={offers.refetch} />
        )}
      </Loaded>
    </Modal>
  )
}
