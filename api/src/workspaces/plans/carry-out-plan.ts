import { actor } from '@portico/contract/engine/wire.ts'
import { minuteMs } from '@portico/contract/time.ts'
import * as z from 'zod/mini'
import type { RowOf } from '#platform/context.ts'
import type { PlanAnswer } from '#workspaces/engines/panel-engine.ts'
import { findPanel, type Outside } from '#workspaces/engines/panel-engines.ts'
import { requestPlan } from '#workspaces/panel-requests.ts'
import type { Found } from '#workspaces/panel-sync.ts'
import { endChange, isOverdue, type Outcome, settleByReading, waitingChange } from './plan-outcome.ts'

type Change = RowOf<'panel_plan_changes'>

/** How long until an engine that did not confirm is asked again. */
const againMs = minuteMs

const refusalOf = ({ code, exceeded }: PlanAnswer & { state: 'refused' }): Outcome => {
  if (code === 'limit_exceeded') return { state: 'refused', reason: 'plan_limit_exceeded', exceeded }
  return { state: 'refused', reason: code === 'suspended' ? 'panel_suspended' : 'plan_refused' }
}

/** Asks the engine once; resolves with whether the change has ended. What the engine shows counts before what it answers. */
async function ask({ pool, clock }: Outside, { engine, ref }: Found, change: Change): Promise<boolean> {
  const { externalId } = ref
  if (externalId === null) throw new Error(`Panel ${change.panel_id} is not at its engine.`)
  const end = (outcome: Outcome) =>
    pool.kysely.transaction().execute((tx) => endChange(tx, change, outcome, clock.now()))
  const read = async () => {
    const at = clock.now()
    const { plan } = await engine.readPanel(externalId)
    return pool.kysely.transaction().execute((tx) => settleByReading(tx, change, { plan, at }))
  }
  if (isOverdue(change, clock.now())) return read()
  const wish = { plan: change.engine_plan, changeId: `plan-${change.id}`, actor: ref.actor }
  const answer = await engine.changePlan(externalId, wish)
  if (answer.state === 'done') await end({ state: 'done' })
  else if (await read()) return true
  else if (answer.state === 'refused') await end(refusalOf(answer))
  else return false
  return true
}

async function attempt(outside: Outside, change: Change): Promise<boolean> {
  const found = await findPanel(outside, change.panel_id, z.parse(actor, change.actor))
  if (found && !['deleting', 'deleted'].includes(found.panel.status)) return ask(outside, found, change)
  const outcome: Outcome = { state: 'failed', reason: 'panel_deleted' }
  await outside.pool.kysely.transaction().execute((tx) => endChange(tx, change, outcome, outside.clock.now()))
  return true
}

/**
 * Asks the engine of a panel for the plan that was wished, and ends the change by what it answers. Without an answer it is
 * asked again under the same id, for a day; then a last reading decides.
 */
export async function carryOutPlan(
  outside: Outside,
  panelId: number,
  failed: (error: unknown) => void,
): Promise<void> {
  const { pool } = outside
  const change = await waitingChange(pool.kysely, panelId)
  if (!change) return
  const ended = await attempt(outside, change).catch((error: unknown) => {
    failed(error)
    return false
  })
  if (!ended) await requestPlan(pool.kysely, panelId, againMs)
}
