import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Panel } from '../../../api/queries/workspaces.ts'
import { m } from '../../../texts/compiled/messages.js'
import { IconSearch } from '../../../ui/icons.tsx'
import classes from '../dashboard.module.css'
import { PanelCard } from '../panel-card.tsx'
import home from './home.module.css'

type Props = {
  panels: readonly Panel[]
  /** How many cards are shown at first, and again with each press. */
  step: number
}

/** The cards of a workspace with many panels: a part of them, and a search for the others. */
export function ManyPanels({ panels, step }: Props) {
  const [search, setSearch] = useState('')
  const [most, setMost] = useState(step)
  const wanted = search.trim().toLocaleLowerCase()
  const found = panels.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const rest = Math.max(0, found.length - most)
  return (
    <section className={home.many} aria-label={m.palette_panels()}>
      <TextInput
        type="search"
        className={home.search ?? ''}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        placeholder={m.search()}
        aria-label={m.search()}
        value={search}
        onChange={({ currentTarget: { value } }) => {
          setSearch(value)
          setMost(step)
        }}
      />
      <p role="status" className="quiet">
        {found.length === 0 ? m.nothing_found() : m.panels_found({ count: found.length })}
      </p>
      <ul className={classes.grid}>
        {found.slice(0, most).map((panel) => (
          <li key={panel.id}>
            <PanelCard panel={panel} />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Button variant="default" onClick={() => setMost(most + step)}>
          {m.auto_more({ count: Math.min(step, rest) })}
        </Button>
      )}
    </section>
  )
}
