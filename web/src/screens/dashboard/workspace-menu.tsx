import { Menu } from '@mantine/core'
import { useId } from 'react'
import type { Workspace } from '../../api/workspaces.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { faultInWords } from '../../texts/faults.ts'
import { type LateMenuProps, useOpened } from '../../ui/late-menu.tsx'
import '../../ui/menu-styles.ts'

/** What may be done with the workspace one is in. */
export function WorkspaceActions({ of, startOpen, children }: LateMenuProps<Workspace>) {
  const why = useId()
  const { id, name, may, denied } = of
  return (
    <Menu {...useOpened(startOpen)} width={240}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={may.update === false}
          onClick={() => openOverlay({ kind: 'rename-workspace', id, name })}
        >
          {m.workspace_rename()}
        </Menu.Item>
        <Menu.Item
          color="var(--bad)"
          disabled={may.delete === false}
          {...(denied.delete !== undefined && { 'aria-describedby': why })}
          onClick={() => openOverlay({ kind: 'archive-workspace', id, name })}
        >
          {m.workspace_archive()}
        </Menu.Item>
        {denied.delete !== undefined && <Menu.Label id={why}>{faultInWords(denied.delete)}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
