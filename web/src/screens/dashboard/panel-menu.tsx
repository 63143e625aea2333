import { Menu } from '@mantine/core'
import { type Panel, useWorkspaces } from '../../api/queries/workspaces.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useUpdate } from '../../api/write.ts'
import { Permitted } from '../../components/permitted.tsx'
import { openOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { type LateMenuProps, useOpened } from '../../ui/loading/late-menu.tsx'
import '../../ui/styles/menu.ts'
import type { Acted, Sharing } from './panel-actions.tsx'

/** Hides another person's panel from one's own dashboard, and gives up all access to it. */
function SharingItems({
  panel: { name },
  sharing: { id, hidden, owner },
}: {
  panel: Panel
  sharing: Sharing
}) {
  const update = useUpdate('client-panels')
  const turn = () =>
    update.mutate(
      { id, attributes: { hidden: !hidden } },
      {
        onSuccess: () => toast(hidden ? m.shared_unhidden({ name }) : m.shared_hidden({ name })),
        onError: (failure) => toast(m.error_popup(), inWords(failure), 'bad'),
      },
    )
  return (
    <>
      <Menu.Divider />
      <Menu.Item onClick={turn}>{hidden ? m.shared_unhide() : m.shared_hide()}</Menu.Item>
      <Menu.Item onClick={() => openOverlay({ kind: 'leave', id, owner })}>{m.shared_leave()}</Menu.Item>
    </>
  )
}

/** Moves an own panel; guests may not, so for them it is left out. */
function MoveItem({ panel }: { panel: Panel }) {
  const { id, name, project_id: projectId } = panel
  const isOnly = useWorkspaces().all.length < 2
  return (
    <Permitted
      of={panel}
      verb="update"
      unless={isOnly ? m.panel_move_none() : undefined}
      onClick={() => openOverlay({ kind: 'move-panel', id, name, projectId })}
    >
      {(given, isDenied) => (
        <Menu.Item closeMenuOnClick={!isDenied} {...given}>
          {m.panel_move()}
        </Menu.Item>
      )}
    </Permitted>
  )
}

/** The actions of a panel; unavailable ones are listed with the reason. */
export function PanelMenu({ of: { panel, sharing }, startOpen, children }: LateMenuProps<Acted>) {
  const { id, name, client_id: clientId, plan_code: plan } = panel
  return (
    <Menu {...useOpened(startOpen)} width={220}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Permitted of={panel} verb="update" onClick={() => openOverlay({ kind: 'edit-panel', id, name })}>
          {(given, isDenied) => (
            <Menu.Item closeMenuOnClick={!isDenied} {...given}>
              {m.panel_edit()}
            </Menu.Item>
          )}
        </Permitted>
        {panel.user_type === 0 && <MoveItem panel={panel} />}
        <Permitted
          of={panel}
          verb="changePlan"
          unless={panel.plan_change?.state === 'waiting' ? m.plan_change_waits() : undefined}
          onClick={() => openOverlay({ kind: 'change-plan', id, clientId, plan })}
        >
          {(given, isDenied) => (
            <Menu.Item closeMenuOnClick={!isDenied} {...given}>
              {m.plan_change()}
            </Menu.Item>
          )}
        </Permitted>
        <Permitted of={panel} verb="delete" onClick={() => openOverlay({ kind: 'delete-panel', id, name })}>
          {(given, isDenied) => (
            <Menu.Item color="var(--bad)" closeMenuOnClick={!isDenied} {...given}>
              {m.panel_delete()}
            </Menu.Item>
          )}
        </Permitted>
        {sharing && <SharingItems panel={panel} sharing={sharing} />}
      </Menu.Dropdown>
    </Menu>
  )
}
