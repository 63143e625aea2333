import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { userQuery, useUser } from '../../api/queries/user.ts'
import { useWorkspaces, type Workspace } from '../../api/queries/workspaces.ts'
import { atOnce } from '../../api/query.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconPlus } from '../../ui/icons.tsx'
import { lazilyWhenIdle } from '../../ui/loading/late.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import classes from './dashboard.module.css'
import { MoreMenu } from './more-menu.tsx'
import { PanelCard } from './panel-card.tsx'
import { pollEvery } from './timers.ts'

const Answers = lazilyWhenIdle(async () => (await import('./home/answers.tsx')).Answers)
const GetStarted = lazilyWhenIdle(async () => (await import('./home/get-started.tsx')).GetStarted)
const ManyPanels = lazily(async () => (await import('./home/many-panels.tsx')).ManyPanels)
const News = lazilyWhenIdle(async () => (await import('./home/news.tsx')).News)

const NothingHere = lazily(async () => (await import('./nothing-here.tsx')).NothingHere)

const SharedPanels = lazilyWhenIdle(async () => (await import('./shared-panels.tsx')).SharedPanels)

/** Another person's panels come with access that may change, so the user is refetched from time to time. */
function Shared() {
  useQuery({ ...userQuery, refetchInterval: pollEvery.timer_shared_access })
  return (
    <Suspense fallback={<div className={`card ${classes.later}`} />}>
      <SharedPanels />
    </Suspense>
  )
}

function Panels({ workspace, onAdd }: { workspace: Workspace; onAdd: () => void }) {
  if (workspace.panels.length === 0) {
    return (
      <Suspense fallback={<div className={`card ${classes.nothing}`} />}>
        <NothingHere of="panels" onAdd={onAdd} />
      </Suspense>
    )
  }
  if (workspace.panels.length > atOnce)
    return (
      <Suspense fallback={<div className={`card ${classes.nothing}`} />}>
        {/* The search of one workspace is not for another. */}
        <ManyPanels key={workspace.id} panels={workspace.panels} />
      </Suspense>
    )
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

/** The name of the workspace, under the name of the page unless they are the same. */
function Title({ name }: { name: string }) {
  const page = m.dashboard_title()
  if (name === page) return <h1 tabIndex={-1}>{page}</h1>
  return (
    <h1 tabIndex={-1}>
      <span className={classes.eyebrow}>{page}</span> {name}
    </h1>
  )
}

/** Whether the person works in other people's panels only: these come first then. */
function useIsGuest(): boolean {
  const { id, access } = useUser()
  const { all } = useWorkspaces()
  return all.every(({ panels }) => panels.length === 0) && access.my_workspaces.some((owner) => owner !== id)
}

/** The placeholder while the answers, or the first steps, load. */
const Waits = () => <div className={`card ${classes.waits}`} />

function Head({ workspace }: { workspace: Workspace }) {
  const { get_started } = useUser()
  const { all } = useWorkspaces()
  return (
    <>
      {get_started && (
        <Suspense fallback={<Waits />}>
          <GetStarted workspaces={all} />
        </Suspense>
      )}
      {workspace.panels.length > 0 && (
        <Suspense fallback={<Waits />}>
          <Answers workspace={workspace} />
        </Suspense>
      )}
    </>
  )
}

/** My workspace: how it stands, its panels, and the panels that others share. */
export function Overview({ workspace }: { workspace: Workspace | undefined }) {
  const isGuest = useIsGuest()
  const addWorkspace = () => openOverlay({ kind: 'add-workspace' })
  if (!workspace)
    return (
      <Suspense>
        <NothingHere of="workspaces" onAdd={addWorkspace} />
      </Suspense>
    )
  const addPanel = () =>
    openOverlay({ kind: 'add-panel', projectId: workspace.id, clientId: workspace.client_id })
  return (
    <>
      <header className={classes.header}>
        <Title name={workspace.name} />
        <div className={classes.actions}>
          <Button variant="default" className={classes.wide ?? ''} onClick={addWorkspace}>
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
      <Head workspace={workspace} />
      <div className={classes.parts}>
        {isGuest && <Shared />}
        <Panels workspace={workspace} onAdd={addPanel} />
        <Suspense fallback={<div className={`card ${classes.later}`} />}>
          <News />
        </Suspense>
        {!isGuest && <Shared />}
      </div>
    </>
  )
}
