import { type EngineCapabilities, engineCapabilities } from '@portico/contract/engine/wire.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { offeredPlan } from './offered-plan.ts'
import { domainOfNew } from './panel-domain.ts'

/** The attributes of a new panel as the client sent them. */
export type Sent = {
  readonly plan_code?: string | null
  readonly region?: string | null
  readonly domain?: string | null
}

/** The columns of a new panel; `plan_code` is the name that its engine has for the plan. */
export type NewPanel = {
  readonly panel_engine_id: number
  readonly plan_id: number | null
  readonly plan_code: string | null
  readonly region: string | null
  readonly domain: string | null
}

type Carrier = {
  readonly id: number
  readonly plan: string
  readonly regions: readonly string[]
  readonly capabilities: unknown
}

const at = (attribute: string) => ({ pointer: `/data/attributes/${attribute}` })

async function isAnyOffered(tx: Database): Promise<boolean> {
  const { rows } = await sql<{
    some: boolean
  }>`select exists (select from plans where state = 'offered') as some`.execute(tx)
  return rows[0]?.some ?? false
}

async function carriersOf(tx: Database, planId: number): Promise<readonly Carrier[]> {
  const { rows } = await sql<Carrier>`
    select c.panel_engine_id as id, c.engine_plan as plan, c.regions, g.capabilities
    from plan_carriers(${planId}) c join panel_engines g on g.id = c.panel_engine_id order by c.place`.execute(
    tx,
  )
  return rows
}

/**
 * The engine of a new panel: the first that has the region, or simply the first. Throws `region_needed` and
 * `region_not_offered`.
 */
function carrierIn(carriers: readonly Carrier[], sent: string | null) {
  const regions = [...new Set(carriers.flatMap((one) => one.regions))]
  if (sent === null && regions.length > 1) throw refuse('region_needed', {}, { source: at('region') })
  const region = sent ?? regions[0] ?? null
  const carrier = carriers.find((one) => region === null || one.regions.includes(region))
  if (carrier === undefined) throw refuse('region_not_offered', {}, { source: at('region') })
  return { carrier, region }
}

async function ofPlan(tx: Database, { plan_code, region, domain }: Sent): Promise<NewPanel> {
  const source = at('plan_code')
  if (plan_code == null) throw refuse('plan_needed', {}, { source })
  const plan = await offeredPlan(tx, plan_code, source)
  const carriers = await carriersOf(tx, plan.id)
  if (carriers.length === 0) throw refuse('plan_not_carried', {}, { source })
  const chosen = carrierIn(carriers, region ?? null)
  const capabilities = z.parse(engineCapabilities, chosen.carrier.capabilities)
  if (plan.needs_domain && domain == null) throw refuse('domain_needed', {}, { source: at('domain') })
  return {
    panel_engine_id: chosen.carrier.id,
    plan_id: plan.id,
    plan_code: chosen.carrier.plan,
    region: chosen.region,
    domain: domainOfNew(capabilities, { plan: chosen.carrier.plan, domain: domain ?? null }),
  }
}

async function defaultEngine(
  tx: Database,
): Promise<{ readonly id: number; readonly capabilities: EngineCapabilities }> {
  const engine = await tx
    .selectFrom('panel_engines')
    .select(['id', 'capabilities'])
    .where('is_default', '=', true)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (engine === undefined) throw refuse('panels_unavailable')
  return { id: engine.id, capabilities: z.parse(engineCapabilities, engine.capabilities) }
}

/** As long as no plan is offered, a panel may have a plan of the default engine, and costs no fee. */
async function withoutPlan(tx: Database, { plan_code, region, domain }: Sent): Promise<NewPanel> {
  const { id, capabilities } = await defaultEngine(tx)
  const plan = plan_code ?? null
  // Its engine would refuse the panel, or create a different one.
  if (plan !== null && !capabilities.plans.includes(plan))
    throw refuse('plan_not_offered', {}, { source: at('plan_code') })
  if (region != null) throw refuse('region_not_offered', {}, { source: at('region') })
  const name = domainOfNew(capabilities, { plan, domain: domain ?? null })
  return { panel_engine_id: id, plan_id: null, plan_code: plan, region: null, domain: name }
}

/**
 * The place and the plan of a new panel. Throws `plan_needed`, `plan_not_offered` and `plan_not_carried`,
 * `region_needed` and `region_not_offered`, refusals of the domain, and `panels_unavailable` when no engine accepts new
 * panels.
 */
export const newPanel = async ({
  tx,
  sent,
}: {
  readonly tx: Database
  readonly sent: Sent
}): Promise<NewPanel> => ((await isAnyOffered(tx)) ? ofPlan(tx, sent) : withoutPlan(tx, sent))
