import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { asFailure } from '../../api/failure.ts'
import { fullName } from '../../api/queries/user.ts'
import { type Panel, reading, useWorkspaces } from '../../api/queries/workspaces.ts'
import { one } from '../../api/query.ts'
import { PageSkeleton } from '../../components/layout/skeletons.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { RowBones } from '../../components/loaded.tsx'
import { Message } from '../../components/message.tsx'
import { exact, relative } from '../../components/moments.ts'
import { reasonInWords } from '../../components/panel-reason.ts'
import { PanelStatus } from '../../components/panel-status.tsx'
import { PageTabs } from '../../components/tabs/page-tabs.tsx'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { useTitle } from '../../ui/title.ts'
import { Connect, Retry } from './connect.tsx'
import classes from './dashboard.module.css'
import others from './others.module.css'
import { Reasons } from './panel/reasons.tsx'
import { Strip } from './panel/strip.tsx'
import { PanelActions } from './panel-actions.tsx'
import { PanelPlan } from './plan/panel-plan.tsx'
import { PlanChangeNote, PlannedPlanNote } from './plan-change-note.tsx'
import { Clusters, Domains, Servers } from './resources.tsx'
import { everyOf } from './timers.ts'
import { Workspaces } from './workspaces.tsx'

/** A panel whose last reading is older than this, in milliseconds, is refreshed when it is opened. */
const oldAfter = 60_000

/** Requests a refresh of an old panel, once per opening; polling shows the result. */
function useFreshReading(panel: Panel | undefined) {
  const isOld = Date.now() - Date.parse(panel?.synced_at ?? '') > oldAfter
  useQuery({ ...reading(panel?.id ?? 0), enabled: isOld && panel?.may.sync === true })
}

/** Once a panel was read again, what is in it may have changed, and is asked for at once. */
function useContentsAnew(readAt: string | null | undefined) {
  const client = useQueryClient()
  const shown = useRef(readAt)
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== readAt)
      for (const kind of ['servers', 'clusters', 'domains'])
        void client.invalidateQueries({ queryKey: [kind, 'list'] })
    shown.current = readAt
  }, [client, readAt])
}

/** Names the owner of another person's panel. */
function SharedBy({ id }: { id: number }) {
  const { data } = useQuery(one('clients', id))
  return data ? ` · ${m.shared_by({ name: fullName(data) })}` : null
}

/** The way into a panel. An engine without links has a page where people sign in by themselves. */
function Entrance({ panel }: { panel: Panel }) {
  const { login_url: page, status, name } = panel
  if (!page || (status !== 'active' && status !== 'degraded')) return <Connect panel={panel} />
  return (
    <Button
      component="a"
      size="sm"
      variant="default"
      href={page}
      target="_blank"
      rel="noreferrer"
      aria-label={m.connect_sign_in_to({ name })}
    >
      {m.connect_sign_in()}
    </Button>
  )
}

type HeadProps = {
  panel: Panel
  /** Its workspace, when it is the reader's own. */
  workspace: string | undefined
}

/** The name and status of a panel with the reason, where it is and when it was read. */
function Head({ panel, workspace }: HeadProps) {
  const { name, status, progress, region, plan_code, synced_at, plan_change, planned_plan } = panel
  const about = [plan_code, region].filter(Boolean).join(' · ')
  const reason = reasonInWords(panel)
  return (
    <>
      <Link className={others.back} to={href('dashboard')}>
        {workspace ?? m.dashboard_title()}
        {panel.user_type === 1 && <SharedBy id={panel.client_id} />}
      </Link>
      <header className={classes.header}>
        <div>
          <div className={others.title}>
            <h1 tabIndex={-1}>{name}</h1>
            <PanelStatus status={status} progress={progress} />
            {reason && <span>{reason}</span>}
          </div>
          <p className={others.about}>
            {about && <span>{about}</span>}
            {synced_at && (
              <time dateTime={synced_at} title={exact(synced_at, language())}>
                {m.synced({ when: relative(synced_at, language()) })}
              </time>
            )}
          </p>
          {plan_change && <PlanChangeNote change={plan_change} />}
          {planned_plan && <PlannedPlanNote planned={planned_plan} />}
        </div>
        <div className={classes.actions}>
          <Entrance panel={panel} />
          <Retry panel={panel} size="sm" />
          <PanelActions panel={panel} />
        </div>
      </header>
    </>
  )
}

const EngineAudit = lazily(async () => (await import('./panel/engine-audit.tsx')).EngineAudit)
const Activity = lazily(async () => (await import('./panel/activity.tsx')).Activity)

/** The resources of a panel, and its activity. The open tab is in the address. */
function Contents({ panel }: { panel: Panel }) {
  const { id, servers_count, clusters_count, domains_count } = panel
  // During an upgrade an older replica does not say what its engine offers.
  const { offers = [] }: Partial<Panel> = panel
  const series = offers.includes('series')
  return (
    <PageTabs
      label={m.panel_contents()}
      tabs={[
        {
          name: 'servers',
          label: m.tab_servers({ count: servers_count }),
          content: <Servers panel={id} series={series} />,
        },
        {
          name: 'clusters',
          label: m.tab_clusters({ count: clusters_count }),
          content: <Clusters panel={id} series={series} />,
        },
        {
          name: 'domains',
          label: m.tab_domains({ count: domains_count }),
          content: <Domains panel={id} />,
        },
        {
          name: 'activity',
          label: m.panel_activity(),
          content: (
            <Suspense
              fallback={
                <div className="card">
                  <RowBones rows={4} />
                </div>
              }
            >
              <Activity panel={id} />
              {offers.includes('audit') && panel.may.audit && <EngineAudit panel={id} />}
            </Suspense>
          ),
        },
      ]}
    />
  )
}

/** One opened panel: its state, the facts about it, and its contents as the engine reports them. */
function OpenedPanel({ id }: { id: number }) {
  const { all } = useWorkspaces()
  const known = all.flatMap(({ panels }) => panels).find((panel) => panel.id === id)
  // The dashboard's list already has the panel, so it is shown at once and then refreshed.
  const panel = useQuery({
    ...one('panels', id),
    ...(known && { placeholderData: known }),
    refetchInterval: ({ state }) => everyOf(state.data && [state.data]),
  })
  useFreshReading(panel.data)
  useContentsAnew(panel.data?.synced_at)
  const isGone = panel.isError && asFailure(panel.error).status === 404
  const title = isGone && !panel.data ? m.panel_gone_title() : panel.data?.name
  useTitle(title && `${title} · ${m.brand()}`)
  if (panel.isPending) return <PageSkeleton />
  if (!panel.data) {
    if (!isGone) return <LoadFailure isPage error={panel.error} onRetry={() => panel.refetch()} />
    return (
      <Message title={m.panel_gone_title()} text={m.panel_gone_text()}>
        <Link to={href('dashboard')}>{m.to_dashboard()}</Link>
      </Message>
    )
  }
  return (
    <>
      <Head panel={panel.data} workspace={all.find((one) => one.id === panel.data.project_id)?.name} />
      <Reasons panel={panel.data} />
      <Strip panel={panel.data} />
      <PanelPlan panel={panel.data} />
      <Contents panel={panel.data} />
    </>
  )
}

/** The panel in the address. */
export default function OpenedPanelScreen() {
  const { panel_id }: { panel_id?: string } = useParams({ strict: false })
  // Another panel is another page: a search and its rows do not carry over.
  return <Workspaces>{() => <OpenedPanel key={panel_id} id={Number(panel_id)} />}</Workspaces>
}
