import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullName, useUser } from '../../api/queries/user.ts'
import { sharedPanelsQuery } from '../../api/queries/workspaces.ts'
import { wholeList } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { Pending } from '../../components/loaded.tsx'
import { InParts } from '../../components/many/in-parts.tsx'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { LateMenu } from '../../ui/loading/late-menu.tsx'
import classes from './dashboard.module.css'
import others from './others.module.css'
import { PanelCard } from './panel-card.tsx'
import { pollEvery } from './timers.ts'

const polled = { refetchInterval: pollEvery.timer_shared_access }

const workspacesOf = (owner: number) =>
  wholeList('projects', { filter: { client_id: owner }, include: ['client'], sort: 'name' })

type Entry = Row<'client-panels', 'panel' | 'owner'>
type Opened = Row<'projects', 'client'>

/** With more workspaces one button opens a menu of them. */
const mostButtons = 3

/** The owner's workspaces that panels can be added to, or why there is none. */
function AddPanels({ workspaces }: { workspaces: readonly Opened[] }) {
  const open = workspaces.filter(({ may }) => may.addPanel)
  const reason = workspaces.find(({ denied }) => denied.addPanel !== undefined)?.denied.addPanel
  const add = ({ id, client_id }: Opened) =>
    openOverlay({ kind: 'add-panel', projectId: id, clientId: client_id })
  if (open.length === 0) return reason === undefined ? null : <small>{reason}</small>
  if (open.length > mostButtons)
    return (
      <LateMenu
        of={{ items: open, onChoose: add }}
        load={async () => (await import('../../components/many/choices.tsx')).ChoiceMenu<Opened>}
      >
        <Button size="xs" variant="default" aria-haspopup="menu">
          {m.panel_add()}
        </Button>
      </LateMenu>
    )
  return open.map((workspace) => (
    <Button key={workspace.id} size="xs" variant="default" onClick={() => add(workspace)}>
      {m.panel_add_to({ name: workspace.name })}
    </Button>
  ))
}

function Cards({
  entries,
  nameOf,
}: {
  entries: readonly Entry[]
  nameOf: (project: number) => string | undefined
}) {
  return (
    <ul className={classes.grid}>
      {entries.map(({ id, hidden, panel, owner }) => (
        <li key={id}>
          {panel && owner && (
            <PanelCard
              panel={panel}
              sharing={{ id, hidden, owner: fullName(owner), workspace: nameOf(panel.project_id) }}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

/** The panels that one owner shares. */
function Owned({ owner, entries }: { owner: number; entries: readonly Entry[] }) {
  const { data } = useQuery({ ...workspacesOf(owner), ...polled })
  const [showsHidden, setShowsHidden] = useState(false)
  const workspaces = data?.items ?? []
  const client = entries[0]?.owner ?? workspaces[0]?.client
  const hidden = entries.filter((entry) => entry.hidden)
  const shown = showsHidden ? entries : entries.filter((entry) => !entry.hidden)
  const nameOf = (project: number) => workspaces.find(({ id }) => id === project)?.name
  if (!client) return null
  return (
    <section className={others.owned} aria-labelledby={`from-${owner}`}>
      <div className={others.owner}>
        <h3 id={`from-${owner}`}>{m.shared_from({ name: fullName(client) })}</h3>
        <AddPanels workspaces={workspaces} />
      </div>
      <InParts
        items={shown}
        namesOf={({ panel }) => (panel ? [panel.name, nameOf(panel.project_id) ?? ''] : [])}
        count={m.panels_found}
      >
        {(part) => <Cards entries={part} nameOf={nameOf} />}
      </InParts>
      {hidden.length > 0 && (
        <button type="button" className={others.hidden} onClick={() => setShowsHidden(!showsHidden)}>
          {showsHidden ? m.shared_hide_hidden() : m.shared_show_hidden({ count: hidden.length })}
        </button>
      )}
    </section>
  )
}

/** The panels that others share, by owner. */
export function SharedPanels() {
  const user = useUser()
  const query = useQuery({ ...sharedPanelsQuery, ...polled })
  const { data } = query
  if (!data)
    return (
      <div className="card">
        <Pending query={query}>
          <Bone height={188} />
        </Pending>
      </div>
    )
  const byOwner = Map.groupBy(data.items, ({ owner_id }) => owner_id)
  // A shared workspace may have no panel yet.
  const owners = new Set([...byOwner.keys(), ...user.access.my_workspaces.filter((id) => id !== user.id)])
  if (owners.size === 0) return <p className="quiet">{m.shared_empty_title()}</p>
  return (
    <section className={others.section} aria-labelledby="shared">
      <h2 id="shared">{m.shared_title()}</h2>
      {[...owners].map((owner) => (
        <Owned key={owner} owner={owner} entries={byOwner.get(owner) ?? []} />
      ))}
    </section>
  )
}
