import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { billingQuery } from '../../api/queries/billing.ts'
import { usageSums } from '../../api/queries/usage.ts'
import { useUser } from '../../api/queries/user.ts'
import type { Panel } from '../../api/queries/workspaces.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { firstOf, monthOf } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import classes from './dashboard.module.css'
import { pollEvery } from './timers.ts'

/**
 * The cost of every panel of an account this month, in one request for all cards. The month is by the
 * business clock.
 */
function useMonthOf(owner: number) {
  const { id: own } = useUser()
  const { data, isError } = useQuery(billingQuery)
  const today = data?.items[0]?.as_of
  const sums = useQuery({
    ...usageSums(
      { client_id: owner === own ? undefined : owner },
      { from: firstOf(monthOf(today ?? '')), to: today ?? '' },
      'panel',
    ),
    enabled: today !== undefined,
    refetchInterval: pollEvery.timer_shared_access,
  })
  return { sums: sums.data, isError: isError || sums.isError }
}

/**
 * The cost of a panel this month, for people with access to the account's billing; it links to the details.
 */
export function PanelCost({ panel: { id, name, client_id } }: { panel: Panel }) {
  const { id: own } = useUser()
  const { sums, isError } = useMonthOf(client_id)
  if (!sums && isError) return <small className={classes.cost}>{m.panel_cost_failed()}</small>
  const used = sums?.rows.find(({ key }) => key[0] === String(id))?.rated_amount ?? 0
  const cost = sums && money(used, sums.currency)
  return (
    <small className={classes.cost}>
      {m.panel_cost()}
      {cost ? (
        <Link
          className="numbers"
          to={href('usages')}
          search={{ account: client_id === own ? undefined : client_id, panel: id }}
          aria-label={m.panel_cost_of({ name, cost })}
        >
          {cost}
        </Link>
      ) : (
        <Bone width={48} />
      )}
    </small>
  )
}
