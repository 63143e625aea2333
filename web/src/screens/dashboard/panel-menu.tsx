import { Menu } from '@mantine/core'
import { useId } from 'react'
import type { Panel } from '../../api/workspaces.ts'
import { useUpdate } from '../../api/write.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { faultInWords } from '../../texts/faults.ts'
import { type LateMenuProps, useOpened } from '../../ui/late-menu.tsx'
import '../../ui/menu-styles.ts'
import type { Acted, Sharing } from './panel-actions.tsx'

/** Whether a panel of somebody else stands on one's own dashboard; and giving all of it back. */
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
        onError: (failure) => toast(m.error_popup(), faultInWords(failure.message), 'bad'),
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

/** What may be done with a panel; what may not is there too, with the reason. */
export function PanelMenu({ of: { panel, sharing }, startOpen, children }: LateMenuProps<Acted>) {
  const why = useId()
  const { id, name, may, denied } = panel
  const reasons = [...new Set([denied.update, denied.delete])].filter((reason) => reason !== undefined)
  return (
    <Menu {...useOpened(startOpen)} width={220}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={may.update === false}
          aria-describedby={why}
          onClick={() => openOverlay({ kind: 'edit-panel', id, name })}
        >
          {m.panel_edit()}
        </Menu.Item>
        <Menu.Item
          color="var(--bad)"
          disabled={may.delete === false}
          aria-describedby={why}
          onClick={() => openOverlay({ kind: 'delete-panel', id, name })}
        >
          {m.panel_delete()}
        </Menu.Item>
        {reasons.length > 0 && (
          <Menu.Label id={why}>{reasons.map((reason) => faultInWords(reason)).join(' ')}</Menu.Label>
        )}
        {sharing && <SharingItems panel={panel} sharing={sharing} />}
      </Menu.Dropdown>
    </Menu>
  )
}
