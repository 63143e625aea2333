import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { unreadQuery } from '../../api/queries/notifications.ts'
import { userQuery } from '../../api/queries/user.ts'
import type { Panel, Workspace } from '../../api/queries/workspaces.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconBell, IconPanel, IconPlus } from '../../ui/icons.tsx'
import { idle } from '../../ui/loading/late.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import classes from './dashboard.module.css'
import { MoreMenu } from './more-menu.tsx'
import { PanelCard } from './panel-card.tsx'
import { pollEvery } from './timers.ts'

const sum = (panels: readonly Panel[], count: 'servers_count' | 'clusters_count' | 'domains_count') =>
  panels.reduce((total, panel) => total + panel[count], 0)

/** The summary first: whether everything runs, and the balance. */
function Figures({ panels }: { panels: readonly Panel[] }) {
  const active = panels.filter(({ status }) => status === 'active').length
  return (
    <dl className={`card ${classes.figures}`}>
      <div className={classes.figure}>
        <dt>{m.panels_active()}</dt>
        <dd>
          {active} <span>{m.of_total({ total: panels.length })}</span>
        </dd>
      </div>
      <div className={classes.figure}>
        <dt>{m.servers()}</dt>
        <dd>{sum(panels, 'servers_count')}</dd>
      </div>
      <div className={classes.figure}>
        <dt>{m.clusters()}</dt>
        <dd>{sum(panels, 'clusters_count')}</dd>
      </div>
      <div className={classes.figure}>
        <dt>{m.domains()}</dt>
        <dd>{sum(panels, 'domains_count')}</dd>
      </div>
    </dl>
  )
}

// The person's own panels come first.
const SharedPanels = lazily(async () => {
  await idle()
  return (await import('./shared-panels.tsx')).SharedPanels
})

/** Another person's panels come with access that may change, so the user is refetched from time to time. */
function Shared() {
  useQuery({ ...userQuery, refetchInterval: pollEvery.timer_shared_access })
  return (
    <section className={classes.section} aria-labelledby="shared">
      <h2 id="shared">{m.shared_title()}</h2>
      <Suspense fallback={<div className={`card ${classes.later}`} />}>
        <SharedPanels />
      </Suspense>
    </section>
  )
}

function Notifications() {
  const unread = useQuery(unreadQuery).data?.page.total ?? 0
  return (
    <section className={classes.section} aria-labelledby="notifications">
      <h2 id="notifications">{m.notifications()}</h2>
      <div className="card">
        <Empty
          icon={<IconBell size={20} />}
          title={unread > 0 ? m.notifications_new({ count: unread }) : m.notifications_none_new()}
          text={unread > 0 ? undefined : m.notifications_none_text()}
        >
          <Button variant="default" onClick={() => openOverlay({ kind: 'notifications' })}>
            {m.notifications()}
          </Button>
        </Empty>
      </div>
    </section>
  )
}

function Panels({ workspace, onAdd }: { workspace: Workspace; onAdd: () => void }) {
  if (workspace.panels.length === 0) {
    return (
      <div className="card">
        <Empty icon={<IconPanel size={20} />} title={m.panels_empty_title()} text={m.panels_empty_text()}>
          <Button onClick={onAdd}>{m.panel_add()}</Button>
        </Empty>
      </div>
    )
  }
  return (
    <ul className={classes.grid}>
      {workspace.panels.map((panel) => (
        <li key={panel.id}>
          <PanelCard panel={panel} />
        </li>
      ))}
    </ul>
  )
}

/** My workspace: its figures, its panels, and the panels that others share. */
export function Overview({ workspace }: { workspace: Workspace | undefined }) {
  const addWorkspace = () => openOverlay({ kind: 'add-workspace' })
  if (!workspace) {
    return (
      <>
        <h1 tabIndex={-1} className={classes.header}>
          {m.dashboard_title()}
        </h1>
        <div className="card">
          <Empty
            icon={<IconPanel size={20} />}
            title={m.workspace_none_title()}
            text={m.workspace_none_text()}
          >
            <Button onClick={addWorkspace}>{m.workspace_add()}</Button>
          </Empty>
        </div>
      </>
    )
  }
  const addPanel = () =>
    openOverlay({ kind: 'add-panel', projectId: workspace.id, clientId: workspace.client_id })
  return (
    <>
      <header className={classes.header}>
        <div>
          <h1 tabIndex={-1}>{m.dashboard_title()}</h1>
          {/** The title names the owner already. */}
          {workspace.name !== m.dashboard_title() && <p>{m.dashboard_lead({ name: workspace.name })}</p>}
        </div>
        <div className={classes.actions}>
          <Button variant="default" onClick={addWorkspace}>
            {m.workspace_add()}
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={addPanel}>
            {m.panel_add()}
          </Button>
          <MoreMenu
            label={m.workspace_menu({ name: workspace.name })}
            load={async () => (await import('./workspace-menu.tsx')).WorkspaceActions}
            of={workspace}
          />
        </div>
      </header>
      {workspace.panels.length > 0 && <Figures panels={workspace.panels} />}
      <Panels workspace={workspace} onAdd={addPanel} />
      <div className={classes.below}>
        <Shared />
        <Notifications />
      </div>
    </>
  )
}
