import { Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Workspace } from '../../api/queries/workspaces.ts'
import { Permitted } from '../../components/permitted.tsx'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { type LateMenuProps, useOpened } from '../../ui/loading/late-menu.tsx'
import '../../ui/styles/menu.ts'

/** The actions of the current workspace. */
export function WorkspaceActions({ of, startOpen, children }: LateMenuProps<Workspace>) {
  const { id, name } = of
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  return (
    <Menu {...useOpened(startOpen)} width={240}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {/* A phone has no place for this button in the head of the page. */}
        {isPhone && (
          <Menu.Item onClick={() => openOverlay({ kind: 'add-workspace' })}>{m.workspace_add()}</Menu.Item>
        )}
        <Permitted of={of} verb="update" onClick={() => openOverlay({ kind: 'rename-workspace', id, name })}>
          {(given, isDenied) => (
            <Menu.Item closeMenuOnClick={!isDenied} {...given}>
              {m.workspace_rename()}
            </Menu.Item>
          )}
        </Permitted>
        <Permitted of={of} verb="delete" onClick={() => openOverlay({ kind: 'delete-workspace', id, name })}>
          {(given, isDenied) => (
            <Menu.Item color="var(--bad)" closeMenuOnClick={!isDenied} {...given}>
              {m.workspace_delete()}
            </Menu.Item>
          )}
        </Permitted>
      </Menu.Dropdown>
    </Menu>
  )
}
