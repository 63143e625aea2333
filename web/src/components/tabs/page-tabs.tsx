import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScrollRow, whole } from '../../ui/scroll-row.tsx'
import '@mantine/core/styles/Tabs.layer.css'

type Tab = { name: string; label: string; content: ReactNode }

type Props = {
  /** Names the tabs for screen readers. */
  label: string
  tabs: readonly [Tab, ...Tab[]]
  /** The tab to open when the address names none. */
  preset?: string
}

/**
 * The tabs of a page, of which the address names the open one. A search or filter of one tab does not apply to
 * another; the chosen account does.
 */
export function PageTabs({ label, tabs, preset }: Props) {
  const given: { tab?: unknown; account?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [first] = tabs
  const open = (tabs.find(({ name }) => name === (given.tab ?? preset)) ?? first).name
  const choose = (tab: string | null) =>
    navigate({
      to: '.',
      search: { account: given.account, tab: tab === first.name ? undefined : tab },
      replace: true,
      resetScroll: false,
    })
  return (
    <Tabs value={open} keepMounted={false} onChange={(tab) => void choose(tab)}>
      <ScrollRow chosen={open}>
        <Tabs.List mb={16} style={whole} aria-label={label}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab.name} value={tab.name}>
              {tab.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </ScrollRow>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.name} value={tab.name}>
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
