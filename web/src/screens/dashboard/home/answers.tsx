import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Billing, billingQuery, fundsOf } from '../../../api/queries/billing.ts'
import { usageSums } from '../../../api/queries/usage.ts'
import { waitingQuery } from '../../../api/queries/user.ts'
import type { Panel, Workspace } from '../../../api/queries/workspaces.ts'
import { reasonInWords } from '../../../components/panel-reason.ts'
import { panelStateName } from '../../../components/panel-status.tsx'
import { href } from '../../../routes.ts'
import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { dayInWords, daysFrom, monthInWords } from '../../../ui/days.ts'
import { money, sum } from '../../../ui/format.ts'
import { Bone } from '../../../ui/loading/bones.tsx'
import { pollEvery } from '../timers.ts'
import classes from './home.module.css'
import { changeOf, sameDays } from './month.ts'
import { Spark } from './spark.tsx'

type AnswerProps = {
  name: string
  value: ReactNode
  isBad?: boolean
  aside?: ReactNode
  children?: ReactNode
}

function Answer({ name, value, isBad = false, aside, children }: AnswerProps) {
  return (
    <div className={classes.answer}>
      <dt>{name}</dt>
      <dd className={classes.value} data-bad={isBad || undefined}>
        {value ?? <Bone width={96} height={24} />}
        {aside}
      </dd>
      {children && <dd className={classes.note}>{children}</dd>}
    </div>
  )
}

/** The worst first. Panels that are being prepared or deleted run as they should. */
const troubles: readonly Panel['status'][] = ['error', 'suspended', 'degraded']

function Health({ panels }: { panels: readonly Panel[] }) {
  const troubled = troubles.flatMap((status) => panels.filter((panel) => panel.status === status))
  const [worst] = troubled
  if (!worst) return <Answer name={m.health()} value={m.health_good({ count: panels.length })} />
  const reason = reasonInWords(worst) ?? panelStateName(worst.status)
  return (
    <Answer name={m.health()} value={m.health_bad({ count: troubled.length, total: panels.length })} isBad>
      <Link to={href('dashboard', { panel_id: worst.id })}>{`${worst.name}: ${reason}`}</Link>
    </Answer>
  )
}

/** How long the money lasts, or what keeps it up. */
function lasting({ automatic_works, exhaustion_date: date }: Billing): string {
  if (automatic_works) return m.money_automatic()
  return date === null ? m.money_no_use() : m.money_until({ date: dayInWords(date, language()) })
}

function Money() {
  const profile = useQuery(billingQuery).data?.items[0]
  const total = profile && fundsOf(profile)
  const isOwed = total !== undefined && total < 0
  return (
    <Answer
      name={m.money()}
      value={profile && total !== undefined && money(total, profile.currency)}
      isBad={isOwed}
    >
      {profile && (
        <Link to={isOwed ? href('payment') : href('billing')}>
          {isOwed ? m.money_owed() : lasting(profile)}
        </Link>
      )}
    </Answer>
  )
}

/** This month's cost against the same days of the month before. */
function compared(now: number, before: number, month: string): string {
  const change = changeOf(now, before)
  const named = { month: monthInWords(month, language()) }
  if (change === undefined) return m.month_first(named)
  if (change === 0) return m.month_same(named)
  return change > 0 ? m.month_more({ ...named, share: change }) : m.month_less({ ...named, share: -change })
}

function ThisMonth({ workspace: { id } }: { workspace: Workspace }) {
  const today = useQuery(billingQuery).data?.items[0]?.as_of
  const { from, before } = sameDays(today ?? '1970-01-01')
  const { data } = useQuery({
    ...usageSums({ project_id: id }, { from: before.from, to: today ?? '' }, 'day'),
    enabled: today !== undefined,
    refetchInterval: pollEvery.timer_shared_access,
  })
  const costs = new Map(data?.rows.map(({ key, rated_amount }) => [key[0], rated_amount]))
  const costsOf = (first: string, last: string) => daysFrom(first, last).map((day) => costs.get(day) ?? 0)
  const days = today === undefined ? [] : costsOf(from, today)
  return (
    <Answer
      name={m.month_cost()}
      value={data && money(sum(days), data.currency)}
      // Today is not over.
      aside={data && <Spark values={days.slice(0, -1)} />}
    >
      {data && (
        <Link to={href('usages')} search={{ workspace: id }}>
          {compared(sum(days), sum(costsOf(before.from, before.to)), before.month)}
        </Link>
      )}
    </Answer>
  )
}

function WaitingForYou() {
  const { data } = useQuery(waitingQuery)
  const { tickets = 0, invitations = 0, cards = 0 } = data ?? {}
  const all = tickets + invitations + cards
  return (
    <Answer name={m.waits()} value={data && (all === 0 ? m.waits_nothing() : all)}>
      {all > 0 && (
        <ul className={classes.waits}>
          {tickets > 0 && (
            <li>
              <Link to={href('tickets')} search={{ status: 'awaiting_client' }}>
                {m.waits_tickets({ count: tickets })}
              </Link>
            </li>
          )}
          {invitations > 0 && <li>{m.waits_invitations({ count: invitations })}</li>}
          {cards > 0 && (
            <li>
              <Link to={href('billing')} search={{ tab: 'methods' }}>
                {m.waits_cards({ count: cards })}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Answer>
  )
}

/** Whether everything runs, whether there is money, what it costs, and what the person has to do. */
export function Answers({ workspace }: { workspace: Workspace }) {
  return (
    <dl className={`card ${classes.answers}`}>
      <Health panels={workspace.panels} />
      <Money />
      <ThisMonth workspace={workspace} />
      <WaitingForYou />
    </dl>
  )
}

/** Why a panel is not simply active, on its card. */
export const Reason = ({ panel }: { panel: Panel }) => (
  <p className={classes.reason}>{reasonInWords(panel)}</p>
)
