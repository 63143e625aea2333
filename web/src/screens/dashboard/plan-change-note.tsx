import type { Panel } from '../../api/queries/workspaces.ts'
import { planChangeInWords } from '../../components/plans/change-words.ts'
import { planName } from '../../components/plans/words.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import others from './others.module.css'

/** A change of plan that is in progress, or why the panel kept its plan. */
export function PlanChangeNote({ change }: { change: NonNullable<Panel['plan_change']> }) {
  return <p className={others.about}>{planChangeInWords(change)}</p>
}

/** The plan that the panel gets from a day on, and whether something keeps it from that. */
export function PlannedPlanNote({ planned }: { planned: NonNullable<Panel['planned_plan']> }) {
  const { starts_on, problem } = planned
  const said = m.plan_planned({ day: dayInWords(starts_on, language()), plan: planName(planned) })
  const why = problem === 'plan_limit_exceeded' ? m.plan_planned_limits() : m.plan_planned_waits()
  return <p className={others.about}>{problem ? `${said}. ${why}` : said}</p>
}
