import type { Row } from '../../api/rows.ts'
import { planChangeInWords } from '../../components/plans/change-words.ts'
import { planName } from '../../components/plans/words.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import classes from './panel-plan.module.css'

type Panel = Row<'panels'>
type Planned = NonNullable<Panel['planned_plan']>

/** What keeps a panel from the plan that staff gave it. */
const problems: Record<NonNullable<Planned['problem']>, () => string> = {
  plan_not_offered: m.desk_planned_not_offered,
  plan_of_suspended: m.desk_planned_suspended,
  panel_not_ready: m.desk_planned_not_ready,
  plan_change_unsupported: m.desk_planned_unsupported,
  plan_not_on_engine: m.desk_planned_not_on_engine,
  plan_needs_domain: m.desk_planned_needs_domain,
  plan_change_waiting: m.desk_planned_change_waiting,
  plan_limit_exceeded: m.desk_planned_limits,
}

/** The plan of a panel, the one that it gets from a day on, and why it does not have that yet. */
export function PanelPlan({
  panel: { plan_code, planned_plan: planned, plan_change: change },
}: {
  panel: Panel
}) {
  return (
    <div className={classes.plan}>
      {plan_code}
      {planned && (
        <span>
          {m.plan_planned({ day: dayInWords(planned.starts_on, language()), plan: planName(planned) })}
        </span>
      )}
      {planned?.problem && <span className={classes.problem}>{problems[planned.problem]()}</span>}
      {change && !planned && <span>{planChangeInWords(change)}</span>}
    </div>
  )
}
