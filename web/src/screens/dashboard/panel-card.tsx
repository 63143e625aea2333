import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { PanelStatus } from '../../components/panel-status.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconCluster, IconDomain, IconServer } from '../../ui/icons.tsx'
import { lazilyWhenIdle } from '../../ui/loading/late.tsx'
import { Connect, Retry } from './connect.tsx'
import classes from './dashboard.module.css'
import { type Acted, PanelActions } from './panel-actions.tsx'

const Reason = lazilyWhenIdle(async () => (await import('./home/answers.tsx')).Reason)
const PanelCost = lazilyWhenIdle(async () => (await import('./panel-cost.tsx')).PanelCost)

function Count({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <li>
      {icon}
      {children}
    </li>
  )
}

/** The contents of a panel; a kind that it has none of is left out. */
function Counts({ panel: { servers_count, clusters_count, domains_count } }: Pick<Acted, 'panel'>) {
  const icon = { size: 16, 'aria-hidden': true } as const
  const isEmpty = servers_count + clusters_count + domains_count === 0
  return (
    <ul className={classes.counts}>
      {servers_count > 0 && (
        <Count icon={<IconServer {...icon} />}>{m.servers_count({ count: servers_count })}</Count>
      )}
      {clusters_count > 0 && (
        <Count icon={<IconCluster {...icon} />}>{m.clusters_count({ count: clusters_count })}</Count>
      )}
      {domains_count > 0 && (
        <Count icon={<IconDomain {...icon} />}>{m.domains_count({ count: domains_count })}</Count>
      )}
      {isEmpty && <li>{m.panel_holds_nothing()}</li>}
    </ul>
  )
}

/** A panel at a glance. */
export function PanelCard({ panel, sharing }: Acted) {
  const Name = sharing ? 'h4' : 'h2'
  // People without access to the account's billing see no place for the cost, and no request is made.
  const hasCost = useUser().access.billing.includes(panel.client_id)
  return (
    <article className={`card ${classes.panel} ${hasCost ? classes.costed : ''}`} aria-label={panel.name}>
      <div className={classes.top}>
        <Name>
          <Link className={classes.name} to={href('dashboard', { panel_id: panel.id })}>
            {panel.name}
          </Link>
        </Name>
        <Connect panel={panel} isIcon />
        <PanelActions panel={panel} sharing={sharing} />
      </div>
      <div className={classes.meta}>
        <PanelStatus status={panel.status} progress={panel.progress} />
        <span>{[sharing?.workspace, panel.plan_code, panel.region].filter(Boolean).join(' · ')}</span>
      </div>
      {panel.status_reason && (
        <Suspense>
          <Reason panel={panel} />
        </Suspense>
      )}
      <Counts panel={panel} />
      <div className={classes.foot}>
        <Retry panel={panel} size="xs" />
        {hasCost && (
          <Suspense>
            <PanelCost panel={panel} />
          </Suspense>
        )}
      </div>
    </article>
  )
}
