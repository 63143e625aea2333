import type { keptPlan } from '@portico/contract/resources/panel-plan-verbs.ts'
import { dayMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { noteAct } from '#notifications/account-log.ts'
import { notify } from '#notifications/notifications.ts'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { namesOfPlans } from './plan-names.ts'

type Change = RowOf<'panel_plan_changes'>

/** How long an engine is asked for a plan. */
const longestMs = dayMs

/** The outcome of a change: the panel has the new plan, or keeps the old one for a reason. */
export type Outcome =
  | { readonly state: 'done' }
  | {
      readonly state: 'refused' | 'failed'
      readonly reason: z.output<typeof keptPlan>
      readonly exceeded?: readonly unknown[]
    }

/** The change of plan of a panel that waits for its engine. */
export const waitingChange = (db: Database, panelId: number): Promise<Change | undefined> =>
  db
    .selectFrom('panel_plan_changes')
    .select([
      'id',
      'panel_id',
      'plan_id',
      'engine_plan',
      'monthly',
      'currency',
      'actor',
      'state',
      'reason',
      'exceeded',
      'asked_at',
      'ended_at',
    ])
    .where('panel_id', '=', panelId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()

/** Whether the engine has had a day for a change. */
export const isOverdue = ({ asked_at }: Pick<Change, 'asked_at'>, now: Date): boolean =>
  now.getTime() - Date.parse(asked_at) >= longestMs

/**
 * Ends a change in the transaction: the history, the plan and its fee, the account log and the notification follow from it at
 * once. A change that has ended already stays as it is.
 */
export async function endChange(tx: Database, change: Change, outcome: Outcome, now: Date): Promise<void> {
  const panel = await tx
    .selectFrom('panels')
    .select(['id', 'client_id', 'name', 'plan_id'])
    .where('id', '=', change.panel_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const exceeded = 'exceeded' in outcome ? outcome.exceeded : []
  const { numUpdatedRows } = await tx
    .updateTable('panel_plan_changes')
    .set({
      state: outcome.state,
      reason: 'reason' in outcome ? outcome.reason : null,
      exceeded: JSON.stringify(exceeded),
      ended_at: now.toISOString(),
    })
    .where('id', '=', change.id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const names = await namesOfPlans(tx, panel.client_id, { from: panel.plan_id, to: change.plan_id })
  const act = { owner: panel.client_id, about: panel.name, panel: panel.id, details: names }
  const notice = { about: panel.id, params: { panel: panel.name, plan: names.to } }
  if (outcome.state === 'done') {
    // The triggers of this table begin the history row and feed its hours.
    await tx
      .updateTable('panels')
      .set({ plan_id: change.plan_id, plan_code: change.engine_plan })
      .where('id', '=', panel.id)
      .execute()
    await noteAct({ tx, now }, { ...act, kind: 'panel-plan-changed' })
    await notify(tx, panel.client_id, { ...notice, kind: 'plan_changed' })
  } else if (outcome.reason !== 'panel_deleted') {
    await noteAct({ tx, now }, { ...act, kind: 'panel-plan-refused' })
    await notify(tx, panel.client_id, { ...notice, kind: 'plan_not_changed' })
  }
}

/** Settles a change by a reading of the panel that began at a time; returns whether it has ended. */
export async function settleByReading(
  tx: Database,
  change: Change,
  { plan, at }: { readonly plan: string | null; readonly at: Date },
): Promise<boolean> {
  // A reading from before the change was asked for may show an older plan of the same name.
  if (at.getTime() < Date.parse(change.asked_at)) return false
  if (plan === change.engine_plan) {
    await endChange(tx, change, { state: 'done' }, at)
    return true
  }
  if (!isOverdue(change, at)) return false
  await endChange(tx, change, { state: 'failed', reason: 'engine_unavailable' }, at)
  return true
}

/** Alerts staff while an engine reports a plan that was not requested. It never changes a price. */
async function reportPlan(tx: Database, panelId: number, reading: { plan: string; at: Date }): Promise<void> {
  const { rows } = await sql<{ plan_code: string | null; last: string | null }>`
    select plan_code, (select max(c.ended_at) from panel_plan_changes c where c.panel_id = p.id) as last
    from panels p where id = ${panelId} and plan_id is not null`.execute(tx)
  const [panel] = rows
  if (!panel || (panel.last !== null && Date.parse(panel.last) > reading.at.getTime())) return
  const [about, kind] = [`panel ${panelId}`, 'engine_plan_differs']
  if (panel.plan_code === reading.plan) await resolveAlert(tx, about, kind)
  else await alertStaff(tx, about, kind, { engine: reading.plan, portal: panel.plan_code })
}

/** Compares the reported plan with the requested one: a change has taken effect, or the engine has set a plan itself. */
export async function readPlan(
  tx: Database,
  panelId: number,
  reading: { readonly plan: string | null; readonly at: Date },
): Promise<void> {
  const change = await waitingChange(tx, panelId)
  if (change) await settleByReading(tx, change, reading)
  else if (reading.plan !== null) await reportPlan(tx, panelId, { ...reading, plan: reading.plan })
}
