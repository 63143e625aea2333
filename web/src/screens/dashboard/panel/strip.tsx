import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { billingQuery } from '../../../api/queries/billing.ts'
import { usageSums } from '../../../api/queries/usage.ts'
import { useUser } from '../../../api/queries/user.ts'
import type { Panel } from '../../../api/queries/workspaces.ts'
import { action, list } from '../../../api/query.ts'
import { href } from '../../../routes.ts'
import { m } from '../../../texts/compiled/messages.js'
import { firstOf, monthOf } from '../../../ui/days.ts'
import { money } from '../../../ui/format.ts'
import { Bone } from '../../../ui/loading/bones.tsx'
import { pollEvery } from '../timers.ts'
import classes from './strip.module.css'

type Query = { data: unknown; isError: boolean }
type FactProps = { label: string; query: Query; children: ReactNode }

/** One fact, or its placeholder. */
function Fact({ label, query: { data, isError }, children }: FactProps) {
  const waiting = isError ? '–' : <Bone width={72} />
  return (
    <div>
      <dt>{label}</dt>
      <dd>{data === undefined ? waiting : children}</dd>
    </div>
  )
}

type Of = { panel: Panel }

/** The cost of this month by the business clock, for readers of the account's billing. */
function Cost({ panel: { id, name, client_id } }: Of) {
  const { id: own } = useUser()
  const account = client_id === own ? undefined : client_id
  const today = useQuery(billingQuery).data?.items[0]?.as_of
  const query = useQuery({
    ...usageSums(
      { client_id: account, panel_id: id },
      { from: firstOf(monthOf(today ?? '')), to: today ?? '' },
      'panel',
    ),
    enabled: today !== undefined,
    refetchInterval: pollEvery.timer_shared_access,
  })
  const cost = query.data && money(query.data.totals.rated_amount, query.data.currency)
  return (
    <Fact label={m.panel_cost()} query={query}>
      {cost && (
        <Link
          className="numbers"
          to={href('usages')}
          search={{ account, panel: id }}
          aria-label={m.panel_usage_link({ cost, name })}
        >
          {cost}
        </Link>
      )}
    </Fact>
  )
}

function Tickets({ panel: { id } }: Of) {
  const query = useQuery(list('tickets', { filter: { panel_id: id }, page: { size: 1 } }))
  const count = query.data?.page.total ?? 0
  return (
    <Fact label={m.panel_tickets_about()} query={query}>
      {count === 0 ? (
        m.panel_tickets_none()
      ) : (
        <Link to={href('tickets', { panel_id: id })}>{m.panel_tickets_count({ count })}</Link>
      )}
    </Fact>
  )
}

function People({ panel: { id, project_id } }: Of) {
  const query = useQuery(action('panels', 'reach', { id, payload: {} }))
  const count = query.data?.people ?? 0
  return (
    <Fact label={m.panel_people()} query={query}>
      {count === 0 ? (
        m.panel_people_none()
      ) : (
        <Link to={href('delegate-access')} hash={`workspace-${project_id}`}>
          {m.panel_people_count({ count })}
        </Link>
      )}
    </Fact>
  )
}

/** The cost, tickets and guests of a panel, each for those who may know it. */
export function Strip({ panel }: Of) {
  const { access } = useUser()
  const opensTickets = access.tickets.includes(panel.client_id)
  const readsBilling = access.billing.includes(panel.client_id)
  if (!opensTickets && !readsBilling && panel.may.reach !== true) return null
  return (
    <section className={`card ${classes.strip}`} aria-label={m.panel_at_a_glance()}>
      <dl>
        {readsBilling && <Cost panel={panel} />}
        {opensTickets && <Tickets panel={panel} />}
        {panel.may.reach && <People panel={panel} />}
      </dl>
      {opensTickets && (
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to={href('add-ticket', { type: 'technical', panel_id: panel.id })}
              search={{ facts: 1 }}
            />
          )}
        >
          {m.panel_ask_support()}
        </Button>
      )}
    </section>
  )
}
