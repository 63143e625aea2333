import type { Database } from '#platform/db/pool.ts'
import type { SimulatedEngine } from './engine.ts'

/** Restores the current plan, domain and region of each panel in the built-in engine. */
export async function remindEngine(db: Database, engine: SimulatedEngine, engineId: number): Promise<void> {
  const rows = await db
    .selectFrom('panels')
    .select(['external_id', 'plan_code', 'domain', 'region'])
    .where('panel_engine_id', '=', engineId)
    .where('external_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  for (const { external_id: externalId, plan_code: plan, domain, region } of rows)
    engine.remember({ externalId, plan, domain, region })
}
