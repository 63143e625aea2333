import type { EngineActor } from '@portico/contract/engine/wire.ts'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { requestPlan } from '#workspaces/panel-requests.ts'
import { namesOfPlans } from './plan-names.ts'

type Wish = {
  readonly panel: Pick<RowOf<'panels'>, 'id' | 'client_id' | 'name' | 'plan_id'>
  readonly plan: { readonly id: number; readonly enginePlan: string }
  /** Of a month, as who asks may know it. */
  readonly price: { readonly monthly: string | null; readonly currency: string }
  readonly by: EngineActor
}

type By = Pick<Context, 'tx' | 'now'> & Partial<Pick<Context, 'actor' | 'ip'>>

/** Records that a panel is to have another plan, and queues the job that asks its engine. Returns when. */
export async function askForPlan(context: By, { panel, plan, price, by }: Wish): Promise<string> {
  const { tx, now } = context
  const asked_at = now.toISOString()
  await tx
    .insertInto('panel_plan_changes')
    .values({
      panel_id: panel.id,
      plan_id: plan.id,
      engine_plan: plan.enginePlan,
      ...price,
      actor: JSON.stringify(by),
      asked_at,
    })
    .execute()
  await requestPlan(tx, panel.id)
  const details = await namesOfPlans(tx, panel.client_id, { from: panel.plan_id, to: plan.id })
  const { client_id: owner, name: about } = panel
  await noteAct(context, { kind: 'panel-plan-asked', owner, about, panel: panel.id, details })
  return asked_at
}
