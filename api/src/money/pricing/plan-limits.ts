import { planLimits } from '@portico/contract/resources/plans.ts'
import { sql } from 'kysely'

/** SQL: the limits of a row of `plans`, each by name; null where there is none. */
export const limitsOfPlan = sql`(select jsonb_object_agg(w.what, l.amount)
  from unnest(array[${sql.join(planLimits.map((one) => sql.lit(one)))}]) w (what)
  left join plan_limits l on l.plan_id = plans.id and l.what = w.what)`
