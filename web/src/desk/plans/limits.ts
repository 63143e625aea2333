import { planLimits } from '../../components/plans/words.ts'
import { m } from '../../texts/compiled/messages.js'
import { type Limit, limitLabels } from '../plan-form/plan-values.ts'

type Limits = Readonly<Record<Limit, number | null>>

/** The limits of a plan, and what has none. */
export function limitsInWords(plan: { readonly limits: Limits }): string[] {
  // The keys are those of the contract.
  const free = (Object.keys(limitLabels) as Limit[]).filter((limit) => plan.limits[limit] === null)
  const names = free.map((limit) => limitLabels[limit]()).join(', ')
  return [...planLimits(plan), ...(names === '' ? [] : [m.desk_plan_unlimited({ names })])]
}
