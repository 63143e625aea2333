import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PanelStatus } from '../../components/panel-status.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconCluster, IconDomain, IconServer } from '../../ui/icons.ts'
import { Connect } from './connect.tsx'
import classes from './dashboard.module.css'
import { type Acted, PanelActions } from './panel-actions.tsx'

function Count({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <li>
      {icon}
      {children}
    </li>
  )
}

/** One panel at a glance. */
export function PanelCard({ panel, sharing }: Acted) {
  const Name = sharing ? 'h4' : 'h2'
  const icon = { size: 16, 'aria-hidden': true } as const
  return (
    <article className={`card ${classes.panel}`} aria-label={panel.name}>
      <div className={classes.top}>
        <Name>
          <Link className={classes.name} to={href('dashboard', { panel_id: panel.id })}>
            {panel.name}
          </Link>
        </Name>
        <PanelActions panel={panel} sharing={sharing} />
      </div>
      <div className={classes.meta}>
        <PanelStatus status={panel.status} />
        <span>{[sharing?.workspace, panel.plan_code, panel.region].filter(Boolean).join(' · ')}</span>
      </div>
      <ul className={classes.counts}>
        <Count icon={<IconServer {...icon} />}>{m.servers_count({ count: panel.servers_count })}</Count>
        <Count icon={<IconCluster {...icon} />}>{m.clusters_count({ count: panel.clusters_count })}</Count>
        <Count icon={<IconDomain {...icon} />}>{m.domains_count({ count: panel.domains_count })}</Count>
      </ul>
      <div className={classes.foot}>
        <Connect panel={panel} size="xs" />
      </div>
    </article>
  )
}
