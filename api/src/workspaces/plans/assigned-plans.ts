import { plannedProblem } from '@portico/contract/resources/panel-plan-verbs.ts'
import { sql } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { Problem } from '#platform/errors/problem.ts'
import { staffSubjectOf } from '#workspaces/engines/subjects.ts'
import { askForPlan } from './ask-for-plan.ts'
import { exceededLimits, obstacle, refusedLimits, type WishedPlan, wishedPlan } from './plan-wish.ts'

type Panel = RowOf<'panels'>

const source = { pointer: '/data/plan' }

/** The plan of this code for a panel, and what keeps the panel from it now. Throws `plan_not_offered`. */
export async function planFor(
  tx: Database,
  panel: Panel,
  code: string,
): Promise<{ readonly plan: WishedPlan; readonly problems: readonly Problem[] }> {
  const plan = await wishedPlan(tx, panel, code, source)
  const problem = await obstacle(tx, panel, plan, source)
  if (problem) return { plan, problems: [problem] }
  const exceeded = await exceededLimits(tx, panel.id, plan.id)
  return { plan, problems: refusedLimits(exceeded, { source, isOwner: true }) }
}

/** The price of a month of a plan for a client on a day; undefined if it has none in the currency of the account. */
export async function priceOn(
  tx: Database,
  { client, plan, day }: { readonly client: number; readonly plan: number; readonly day: string },
): Promise<{ monthly: string; currency: string } | undefined> {
  const { rows } = await sql<{ monthly: string; currency: string }>`
    select p.monthly, u.code as currency from clients c join currencies u on u.id = c.currency_id
      cross join lateral plan_price(c.id, u.code, ${plan}, ${day}::date) p where c.id = ${client}`.execute(tx)
  return rows[0]
}

/** Ends the open assignment of a panel, if it has one. */
export const endAssignment = (tx: Database, panelId: number, now: Date) =>
  tx
    .updateTable('plan_assignments')
    .set({ ended_at: now.toISOString() })
    .where('panel_id', '=', panelId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()

type Assigned = { readonly panel_id: number; readonly code: string; readonly admin_id: number }

const dueOnes = sql<Assigned>`
  select a.panel_id, p.code, a.admin_id from plan_assignments a join plans p on p.id = a.plan_id
  where a.ended_at is null and a.starts_on <= clock_today() order by a.id`

/** Keeps why a plan has not begun, and since when, for staff and the owner. */
async function keepProblem(tx: Database, panelId: number, { code, now }: { code: string; now: Date }) {
  await tx
    .updateTable('plan_assignments')
    .set({ problem: plannedProblem.parse(code), problem_at: now.toISOString() })
    .where('panel_id', '=', panelId)
    .where('ended_at', 'is', null)
    .where('problem', 'is distinct from', code)
    .execute()
}

/** Why a plan cannot be asked for now; a plan that is retired meanwhile is such a reason too. */
async function problemsOf(tx: Database, panel: Panel, code: string) {
  try {
    return await planFor(tx, panel, code)
  } catch (error) {
    if (error instanceof Problem) return { problems: [error] }
    throw error
  }
}

/**
 * Asks the engine of a panel for the plan that staff gave it, if its day has come and the panel can have it. Otherwise the
 * assignment stays open with the reason, and is tried again. The caller holds no lock.
 */
export async function beginAssigned(tx: Database, panelId: number, now: Date): Promise<void> {
  const panel = await tx
    .selectFrom('panels')
    .select(columns.panels)
    .where('id', '=', panelId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { rows } =
    await sql<Assigned>`select panel_id, code, admin_id from (${dueOnes}) d where panel_id = ${panelId}`.execute(
      tx,
    )
  const [assigned] = rows
  if (!assigned) return
  const found = await problemsOf(tx, panel, assigned.code)
  const isOver = panel.deleted_at !== null || panel.status === 'deleting'
  if (isOver || found.problems.some(({ code }) => code === 'plan_same')) {
    await endAssignment(tx, panelId, now)
    return
  }
  const [problem] = found.problems
  if (problem) return keepProblem(tx, panelId, { code: problem.code, now })
  if (!('plan' in found) || found.plan.enginePlan === null) return
  const { id, enginePlan } = found.plan
  const { rows: days } = await sql<{ today: string }>`select clock_today() as today`.execute(tx)
  const price = await priceOn(tx, { client: panel.client_id, plan: id, day: days[0]?.today ?? '' })
  if (!price) return keepProblem(tx, panelId, { code: 'plan_not_offered', now })
  const by = { subject: staffSubjectOf(assigned.admin_id), kind: 'staff' as const } // An actor of engines.
  await askForPlan({ tx, now }, { panel, plan: { id, enginePlan }, price, by })
  await endAssignment(tx, panelId, now)
}

/** Begins every assignment whose day has come, each in a transaction of its own. */
export async function beginDueAssignments({
  pool,
  clock,
}: {
  readonly pool: Pool
  readonly clock: Clock
}): Promise<void> {
  const { rows } = await dueOnes.execute(pool.kysely)
  for (const { panel_id } of rows)
    await pool.kysely.transaction().execute((tx) => beginAssigned(tx, panel_id, clock.now()))
}
