import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { asFailure } from '../../api/failure.ts'
import { fullName } from '../../api/queries/user.ts'
import { type Panel, reading, useWorkspaces } from '../../api/queries/workspaces.ts'
import { one } from '../../api/query.ts'
import { PageSkeleton } from '../../components/layout/skeletons.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { Message } from '../../components/message.tsx'
import { exact, relative } from '../../components/moments.ts'
import { PanelStatus } from '../../components/panel-status.tsx'
import { PageTabs } from '../../components/tabs/page-tabs.tsx'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { useTitle } from '../../ui/title.ts'
import { Connect } from './connect.tsx'
import classes from './dashboard.module.css'
import { PanelActions } from './panel-actions.tsx'
import { PanelPlan } from './plan/panel-plan.tsx'
import { PlanChangeNote } from './plan-change-note.tsx'
import { Clusters, Domains, Servers } from './resources.tsx'
import { pollEvery } from './timers.ts'
import { Workspaces } from './workspaces.tsx'

/** A panel whose last reading is older than this, in milliseconds, is refreshed when it is opened. */
const oldAfter = 60_000

/** Requests a refresh of an old panel, once per opening; polling shows the result. */
function useFreshReading(panel: Panel | undefined) {
  const isOld = Date.now() - Date.parse(panel?.synced_at ?? '') > oldAfter
  useQuery({ ...reading(panel?.id ?? 0), enabled: isOld && panel?.may.sync === true })
}

/** Names the owner of another person's panel. */
function SharedBy({ id }: { id: number }) {
  const { data } = useQuery(one('clients', id))
  return data ? ` · ${m.shared_by({ name: fullName(data) })}` : null
}

/** One opened panel, with its contents as the engine reports them. The open tab is in the address. */
function OpenedPanel({ id }: { id: number }) {
  const { all } = useWorkspaces()
  const known = all.flatMap(({ panels }) => panels).find((panel) => panel.id === id)
  // The dashboard's list already has the panel, so it is shown at once and then refreshed.
  const panel = useQuery({
    ...one('panels', id),
    ...(known && { placeholderData: known }),
    refetchInterval: pollEvery.timer,
  })
  useFreshReading(panel.data)
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
  const { name, status, region, plan_code, synced_at } = panel.data
  const about = [plan_code, region].filter(Boolean).join(' · ')
  return (
    <>
      <Link className={classes.back} to={href('dashboard')}>
        {m.dashboard_title()}
        {panel.data.user_type === 1 && <SharedBy id={panel.data.client_id} />}
      </Link>
      <header className={classes.header}>
        <div>
          <div className={classes.title}>
            <h1 tabIndex={-1}>{name}</h1>
            <PanelStatus status={status} />
          </div>
          <p className={classes.about}>
            {about && <span>{about}</span>}
            {synced_at && (
              <time dateTime={synced_at} title={exact(synced_at, language())}>
                {m.synced({ when: relative(synced_at, language()) })}
              </time>
            )}
          </p>
          {panel.data.plan_change && <PlanChangeNote change={panel.data.plan_change} />}
        </div>
        <div className={classes.actions}>
          <Connect panel={panel.data} size="sm" />
          <PanelActions panel={panel.data} />
        </div>
      </header>
      <PanelPlan panel={panel.data} />
      <PageTabs
        label={m.panel_contents()}
        tabs={[
          {
            name: 'servers',
            label: m.tab_servers({ count: panel.data.servers_count }),
            content: <Servers panel={id} />,
          },
          {
            name: 'clusters',
            label: m.tab_clusters({ count: panel.data.clusters_count }),
            content: <Clusters panel={id} />,
          },
          {
            name: 'domains',
            label: m.tab_domains({ count: panel.data.domains_count }),
            content: <Domains panel={id} />,
          },
        ]}
      />
    </>
  )
}

/** The panel in the address. */
export default function OpenedPanelScreen() {
  const { panel_id }: { panel_id?: string } = useParams({ strict: false })
  // Another panel is another page: a search and its rows do not carry over.
  return <Workspaces>{() => <OpenedPanel key={panel_id} id={Number(panel_id)} />}</Workspaces>
}
