import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { atOnce } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconCheck } from '../../ui/icons.tsx'
import { type LateMenuProps, useOpened } from '../../ui/loading/late-menu.tsx'
import '../../ui/styles/menu.ts'
import { useFound } from './in-parts.tsx'

/** With more choices there is a search box. */
const searchableBeyond = 8

type Item = { readonly id: number; readonly name: string }

type Choosing<T extends Item> = {
  readonly items: readonly T[]
  readonly ticked?: number | undefined
  readonly onChoose: (item: T) => void
}

type Props<T extends Item> = Choosing<T> & {
  /** A menu within a menu has no place for a search box. */
  hasSearch?: boolean
  /** Items before these. */
  children?: ReactNode
}

/** Items of a menu to choose one of. The ticked one is in the first part of a long list. */
export function Choices<T extends Item>({ items, ticked, onChoose, hasSearch = true, children }: Props<T>) {
  const isLong = items.length > atOnce
  const ordered = isLong ? items.toSorted((a, b) => Number(b.id === ticked) - Number(a.id === ticked)) : items
  const { search, find, shown, next, more } = useFound(ordered, ({ name }) => [name])
  return (
    <>
      {hasSearch && items.length > searchableBeyond && (
        <Menu.Search
          value={search}
          placeholder={m.search()}
          aria-label={m.search()}
          onChange={(event) => find(event.currentTarget.value)}
        />
      )}
      <div style={{ maxHeight: 320, overflowY: 'auto' }}>
        {children}
        {shown.map((item) => (
          <Menu.Item
            key={item.id}
            aria-current={item.id === ticked || undefined}
            rightSection={item.id === ticked ? <IconCheck size={16} aria-hidden="true" /> : null}
            onClick={() => onChoose(item)}
          >
            {item.name}
          </Menu.Item>
        ))}
        {shown.length === 0 && <Menu.Label>{m.nothing_found()}</Menu.Label>}
        {next > 0 && (
          <Menu.Item closeMenuOnClick={false} onClick={more}>
            {m.auto_more({ count: next })}
          </Menu.Item>
        )}
      </div>
    </>
  )
}

/** A menu to choose one of many of something. */
export function ChoiceMenu<T extends Item>({ of, startOpen, children }: LateMenuProps<Choosing<T>>) {
  return (
    <Menu {...useOpened(startOpen)} position="bottom-end" width={260}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Choices {...of} />
      </Menu.Dropdown>
    </Menu>
  )
}
