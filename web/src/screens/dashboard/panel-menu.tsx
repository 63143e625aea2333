import { Menu } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { Panel } from '../../api/workspaces.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/menu-styles.ts'

export type PanelMenuProps = { panel: Panel; startOpen: boolean; children: ReactNode }

/** What may be done with a panel; what may not is there too, with the reason. */
export function PanelMenu({ panel, startOpen, children }: PanelMenuProps) {
  const why = useId()
  const { id, name, may, denied } = panel
  const reason = denied.delete ?? denied.update
  return (
    <Menu
      defaultOpened={startOpen}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      position="bottom-end"
      width={220}
    >
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
        {reason && <Menu.Label id={why}>{reason}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
