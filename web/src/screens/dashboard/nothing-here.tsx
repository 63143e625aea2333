import { Button } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconPanel } from '../../ui/icons.tsx'
import classes from './dashboard.module.css'

type Props = {
  /** The kind of resource that is missing. */
  of: 'panels' | 'workspaces'
  onAdd: () => void
}

const words = {
  panels: { title: m.panels_empty_title, text: m.panels_empty_text, add: m.panel_add },
  workspaces: { title: m.workspace_none_title, text: m.workspace_none_text, add: m.workspace_add },
} as const

/** The place of the panels where there are none, or the page without a workspace; most people never load it. */
export function NothingHere({ of, onAdd }: Props) {
  const { title, text, add } = words[of]
  return (
    <>
      {of === 'workspaces' && (
        <header className={classes.header}>
          <h1 tabIndex={-1}>{m.dashboard_title()}</h1>
        </header>
      )}
      <div className="card">
        <Empty icon={<IconPanel size={20} />} title={title()} text={text()}>
          <Button onClick={onAdd}>{add()}</Button>
        </Empty>
      </div>
    </>
  )
}
