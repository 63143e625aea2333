import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'

type Change = NonNullable<Row<'panels'>['plan_change']>

const reasons = {
  plan_limit_exceeded: m.plan_kept_limits,
  panel_suspended: m.plan_kept_suspended,
  plan_refused: m.plan_kept_refused,
  engine_unavailable: m.plan_kept_unavailable,
  panel_deleted: m.plan_kept_refused,
} as const

/** What is known of a change of plan that is in progress, or why the panel kept its plan. */
export const planChangeInWords = ({ plan_code: plan, state, reason }: Change): string =>
  (state === 'waiting' ? m.plan_changing : reasons[reason ?? 'plan_refused'])({ plan })
