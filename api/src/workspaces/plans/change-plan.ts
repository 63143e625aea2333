import type { panels } from '@portico/contract/resources/panels.ts'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import { Problems, refuse } from '#platform/errors/problem.ts'
import { system } from '#workspaces/engines/panel-engine.ts'
import { asker } from '#workspaces/panel-asker.ts'
import { askForPlan } from './ask-for-plan.ts'
import { knownPrice } from './known-price.ts'
import { assertMoneyAhead, dearerBy } from './money-ahead.ts'
import { exceededLimits, obstacle, refusedLimits, wishedPlan } from './plan-wish.ts'

type ChangePlan = typeof panels.actions.changePlan
type Panel = RowOf<'panels'>

const source = { pointer: '/data/plan' }

/**
 * Records that a panel is to have another plan, and queues the job that asks its engine. Throws `price_changed` unless the
 * price is the one that the person saw, `balance_too_low`, and what stands in the way of the change.
 */
export async function changePlan(
  context: Context,
  { row, input }: { readonly row: Panel; readonly input: z.output<ChangePlan['input']> },
): Promise<z.input<ChangePlan['output']>> {
  const { tx, actor } = context
  const plan = await wishedPlan(tx, row, input.plan, source)
  const problem = await obstacle(tx, row, plan, source)
  if (problem) throw problem
  if (plan.enginePlan === null) throw new Error(`Plan ${plan.code} has no name at its engine.`)
  const exceeded = await exceededLimits(tx, row.id, plan.id)
  if (exceeded.length > 0)
    throw new Problems(refusedLimits(exceeded, { source, isOwner: actor.id === row.client_id }))
  const price = await knownPrice(context, { client: row.client_id, plan: plan.id })
  if (!price) throw refuse('plan_not_offered', {}, { source })
  const { currency, monthly } = price
  const shown = monthly === null ? null : Number(monthly)
  if (input.expects.currency !== currency || input.expects.monthly !== shown) throw refuse('price_changed')
  const more = await dearerBy(tx, { panel: row.id, plan: plan.id })
  if (more !== undefined) await assertMoneyAhead(context, row.client_id, more)
  const by = asker(actor, row) ?? system
  const wish = { id: plan.id, enginePlan: plan.enginePlan }
  const asked_at = await askForPlan(context, { panel: row, plan: wish, price: { monthly, currency }, by })
  return { plan_code: plan.code, state: 'waiting', reason: null, exceeded: [], asked_at }
}
