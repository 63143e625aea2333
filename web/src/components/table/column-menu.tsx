import { Menu } from '@mantine/core'
import { type LateMenuProps, useOpened } from '../../ui/loading/late-menu.tsx'
import '../../ui/styles/menu.ts'
import type { ColumnsOf } from './column-choice.tsx'

/** The columns of a table to show or hide, all but the first; the menu stays open for further ones. */
export function ColumnMenu({
  of: { columns, shown, onToggle },
  startOpen,
  children,
}: LateMenuProps<ColumnsOf>) {
  return (
    <Menu {...useOpened(startOpen)} position="bottom-end" width={220}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {columns.slice(1).map(({ name, label }) => (
          <Menu.CheckboxItem
            key={name}
            checked={shown.some((one) => one.name === name)}
            onChange={() => onToggle(name)}
          >
            {label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
