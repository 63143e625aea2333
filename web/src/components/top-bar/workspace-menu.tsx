import { Menu } from '@mantine/core'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconCheck, IconPlus } from '../../ui/icons.tsx'
import { type LateMenuProps, useOpened } from '../../ui/loading/late-menu.tsx'
import { Choices } from '../many/choices.tsx'
import { useChooseWorkspace } from '../person.ts'
import '../../ui/styles/menu.ts'
import type { Scope } from './scope.ts'

/**
 * The workspaces, with the current one ticked, and a button to add one. On a page with a filter by workspace the choice is
 * its filter too.
 */
export function WorkspaceMenu({ of: scope, startOpen, children }: LateMenuProps<Scope | undefined>) {
  const { all, current } = useWorkspaces()
  const choose = useChooseWorkspace()
  const ticked = scope ? scope.id : current?.id
  return (
    <Menu {...useOpened(startOpen)} position="bottom-start" width={260}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{m.workspaces_count({ count: all.length })}</Menu.Label>
        <Choices
          items={all}
          ticked={ticked}
          onChoose={({ id }) => choose(id, scope && (() => scope.choose(id)))}
        >
          {scope && (
            <Menu.Item
              aria-current={ticked === undefined || undefined}
              rightSection={ticked === undefined ? <IconCheck size={16} aria-hidden="true" /> : null}
              onClick={() => scope.choose(undefined)}
            >
              {m.workspaces_all()}
            </Menu.Item>
          )}
        </Choices>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => openOverlay({ kind: 'add-workspace' })}
        >
          {m.workspace_add()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
