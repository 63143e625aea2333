import { useQuery } from '@tanstack/react-query'
import { billingQuery } from '../../api/queries/billing.ts'
import { usageSums } from '../../api/queries/usage.ts'
import { useUser } from '../../api/queries/user.ts'
import type { Panel } from '../../api/queries/workspaces.ts'
import { m } from '../../texts/compiled/messages.js'
import { addDays, daysFrom, firstOf, monthOf } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import classes from './dashboard.module.css'
import { Spark } from './home/spark.tsx'
import { pollEvery } from './timers.ts'

/** The line of a panel's cost shows so many days. */
const drawn = 14

const dayMs = 86_400_000

/**
 * The cost of every panel of an account this month, in one request for all cards. The month is by the
 * business clock.
 */
function useMonthOf(account: number | undefined) {
  const { data, isError } = useQuery(billingQuery)
  const today = data?.items[0]?.as_of
  const sums = useQuery({
    ...usageSums({ client_id: account }, { from: firstOf(monthOf(today ?? '')), to: today ?? '' }, 'panel'),
    enabled: today !== undefined,
    refetchInterval: pollEvery.timer_shared_access,
  })
  return { today, sums: sums.data, isError: isError || sums.isError }
}

/** The last days of a panel, in one request for all cards of its workspace. */
function LastDays({
  panel: { id, project_id },
  account,
  today,
}: {
  panel: Panel
  account: number | undefined
  today: string
}) {
  // Today is not over.
  const to = addDays(today, -1)
  const from = addDays(today, -drawn)
  const { data } = useQuery({
    ...usageSums({ client_id: account, project_id }, { from, to }, 'panel', 'day'),
    staleTime: dayMs,
  })
  const own = data?.rows.filter(({ key }) => key[0] === String(id))
  const costs = new Map(own?.map(({ key, rated_amount }) => [key[1], rated_amount]))
  return <Spark values={daysFrom(from, to).map((day) => costs.get(day) ?? 0)} />
}

/** The cost of a panel this month, for people with access to the account's billing. */
export function PanelCost({ panel }: { panel: Panel }) {
  const { id: own } = useUser()
  const account = panel.client_id === own ? undefined : panel.client_id
  const { today, sums, isError } = useMonthOf(account)
  if (!sums && isError) return <small className={classes.cost}>{m.panel_cost_failed()}</small>
  const used = sums?.rows.find(({ key }) => key[0] === String(panel.id))?.rated_amount ?? 0
  return (
    <>
      {today !== undefined && <LastDays panel={panel} account={account} today={today} />}
      <small className={classes.cost}>
        {m.panel_cost()}
        {sums ? <strong className="numbers">{money(used, sums.currency)}</strong> : <Bone width={48} />}
      </small>
    </>
  )
}
