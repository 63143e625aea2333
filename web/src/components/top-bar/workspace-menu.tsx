import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconCheck, IconPlus } from '../../ui/icons.tsx'
import { type LateMenuProps, useOpened } from '../../ui/loading/late-menu.tsx'
import { useChooseWorkspace } from '../person.ts'
import '../../ui/styles/menu.ts'
import type { Scope } from './scope.ts'

/** With more workspaces the menu has a search box. */
const searchableBeyond = 8

/**
 * The workspaces, with the current one ticked, and a button to add one. On a page with a filter by workspace the choice is
 * its filter too.
 */
export function WorkspaceMenu({ of: scope, startOpen, children }: LateMenuProps<Scope | undefined>) {
  const { all, current } = useWorkspaces()
  const [search, setSearch] = useState('')
  const choose = useChooseWorkspace()
  const ticked = scope ? scope.id : current?.id
  const wanted = search.trim().toLocaleLowerCase()
  const shown = all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  return (
    <Menu {...useOpened(startOpen)} position="bottom-start" width={260}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{m.workspaces_count({ count: all.length })}</Menu.Label>
        {all.length > searchableBeyond && (
          <Menu.Search
            value={search}
            placeholder={m.search()}
            aria-label={m.search()}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <div style={{ maxHeight: 320, overflowY: 'auto' }}>
          {scope && (
            <Menu.Item
              aria-current={ticked === undefined || undefined}
              rightSection={ticked === undefined ? <IconCheck size={16} aria-hidden="true" /> : null}
              onClick={() => scope.choose(undefined)}
            >
              {m.workspaces_all()}
            </Menu.Item>
          )}
          {shown.map(({ id, name }) => (
            <Menu.Item
              key={id}
              aria-current={id === ticked || undefined}
              rightSection={id === ticked ? <IconCheck size={16} aria-hidden="true" /> : null}
              onClick={() => choose(id, scope && (() => scope.choose(id)))}
            >
              {name}
            </Menu.Item>
          ))}
          {shown.length === 0 && <Menu.Label>{m.nothing_found()}</Menu.Label>}
        </div>
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
