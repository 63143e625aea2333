import { sql } from 'kysely'

/** For how long the desk shows that an engine did not give a panel the plan that staff asked for. */
const shownFor = sql`interval '7 days'`

/**
 * SQL: the panels that do not have the plan that staff gave them, with their client and since when: it could not begin on its
 * day, or the last change was asked for by staff and the engine kept the old plan.
 */
export const waitingPlans = sql`(
  select a.panel_id, a.client_id, a.problem_at as since from plan_assignments a
  where a.ended_at is null and a.problem is not null
  union all
  select p.id as panel_id, p.client_id, c.ended_at from panel_plan_changes c join panels p on p.id = c.panel_id
  where c.state in ('refused', 'failed') and c.actor ->> 'kind' = 'staff' and p.deleted_at is null
    and c.ended_at > clock_now() - ${shownFor}
    and not exists (select from panel_plan_changes l where l.panel_id = c.panel_id and l.id > c.id)
    and not exists (select from plan_assignments o where o.panel_id = c.panel_id and o.ended_at is null))`

/** SQL: the plan that staff planned for a panel, from which day, and what keeps the panel from it since that day. */
export const plannedPlan = sql`(
  select jsonb_build_object('plan_code', p.code, 'name_en', p.name_en, 'name_ro', p.name_ro,
    'starts_on', a.starts_on, 'problem', a.problem)
  from plan_assignments a join plans p on p.id = a.plan_id where a.panel_id = panels.id and a.ended_at is null)`
