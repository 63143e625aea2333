import type { Database } from '#platform/db/pool.ts'
import type { SimulatedEngine } from './engine.ts'

/** Restores the current plan and domain of each panel in the built-in engine. */
export async function remindEngine(db: Database, engine: SimulatedEngine, engineId: number): Promise<void> {
  const rows = await db
    .selectFrom('panels')
    .select(['external_id', 'plan_code', 'domain'])
    .where('panel_engine_id', '=', engineId)
    .where('external_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  for (const { external_id: externalId, plan_code: plan, domain } of rows)
    engine.remember({ externalId, plan, domain })
}
