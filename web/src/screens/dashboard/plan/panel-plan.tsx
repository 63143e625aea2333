import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ActionOf, Output } from '../../../api/actions.ts'
import type { Panel } from '../../../api/queries/workspaces.ts'
import { action } from '../../../api/query.ts'
import { Pending } from '../../../components/loaded.tsx'
import { quantity } from '../../../components/money/figures.ts'
import { Permitted } from '../../../components/permitted.tsx'
import { planName } from '../../../components/plans/words.ts'
import { openOverlay } from '../../../stores/overlay.ts'
import { m } from '../../../texts/compiled/messages.js'
import { money } from '../../../ui/format.ts'
import { pollEvery } from '../timers.ts'
import classes from './panel-plan.module.css'

type Plan = NonNullable<Output<ActionOf<'panels', 'plan'>>['plan']>

/** The names of limits, in the order in which they are shown. */
const names = {
  servers: m.servers,
  clusters: m.clusters,
  domains: m.domains,
  mailboxes: m.column_mailboxes,
  disk_gb: m.limit_disk,
  traffic_gb_month: m.limit_traffic,
} as const

const order = Object.keys(names) as (keyof typeof names)[]

function Limits({ limits }: Pick<Plan, 'limits'>) {
  const shown = order.flatMap((name) => limits.filter(({ limit, allowed }) => limit === name && allowed > 0))
  if (shown.length === 0) return null
  return (
    <dl className={classes.limits}>
      {shown.map(({ limit, allowed, used }) => (
        <div key={limit}>
          <dt>{names[limit]()}</dt>
          <dd className={used !== null && used > allowed ? `numbers ${classes.over}` : 'numbers'}>
            {used === null
              ? m.limit_up_to({ allowed: quantity(allowed) })
              : m.limit_used({ used: quantity(used), allowed: quantity(allowed) })}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The plan of a panel: its price a month, where the reader may know it, and how much of its limits is used. */
export function PanelPlan({ panel }: { panel: Panel }) {
  const { id, client_id: clientId, plan_code } = panel
  const query = useQuery({
    ...action('panels', 'plan', { id, payload: {} }),
    refetchInterval: pollEvery.timer,
    enabled: plan_code !== null,
  })
  if (plan_code === null) return null
  if (!query.data)
    return (
      <Pending query={query}>
        <div className={`card ${classes.plan} ${classes.waiting}`} aria-hidden="true" />
      </Pending>
    )
  const { plan } = query.data
  return (
    plan && (
      <section aria-labelledby={`plan-of-${id}`} className={`card ${classes.plan}`}>
        <div>
          <h2 id={`plan-of-${id}`}>{m.plan_of_panel({ plan: planName(plan) })}</h2>
          {plan.price && (
            <p className="numbers">
              {m.plan_monthly({ price: money(plan.price.monthly, plan.price.currency) })}
            </p>
          )}
          <Permitted
            of={panel}
            verb="changePlan"
            unless={panel.plan_change?.state === 'waiting' ? m.plan_change_waits() : undefined}
            onClick={() => openOverlay({ kind: 'change-plan', id, clientId, plan: plan_code })}
          >
            {(given) => (
              <Button size="xs" variant="default" mt={8} {...given}>
                {m.plan_change()}
              </Button>
            )}
          </Permitted>
        </div>
        <Limits limits={plan.limits} />
      </section>
    )
  )
}
