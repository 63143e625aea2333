import type { Panel } from '../../api/queries/workspaces.ts'
import { m } from '../../texts/compiled/messages.js'
import others from './others.module.css'

type Change = NonNullable<Panel['plan_change']>

const reasons = {
  plan_limit_exceeded: m.plan_kept_limits,
  panel_suspended: m.plan_kept_suspended,
  plan_refused: m.plan_kept_refused,
  engine_unavailable: m.plan_kept_unavailable,
  panel_deleted: m.plan_kept_refused,
} as const

/** A change of plan that is in progress, or why the panel kept its plan. */
export function PlanChangeNote({ change: { plan_code: plan, state, reason } }: { change: Change }) {
  const words = state === 'waiting' ? m.plan_changing : reasons[reason ?? 'plan_refused']
  return <p className={others.about}>{words({ plan })}</p>
}
