import { sql } from 'kysely'
import type { EngineAccess } from '../adapters/panel-engine.ts'
import type { SimulatedEngine } from '../adapters/simulated-engine.ts'
import { type Deliver, type Metered, tellUsage } from '../adapters/simulation.ts'
import type { Database } from '../db/pool.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
// What is older the portal does not take.
const oldestMs = 34 * dayMs

/** The built-in engine, and its way to the portal: the door that every engine comes by. */
export type Simulation = {
  readonly db: Database
  readonly engine: SimulatedEngine
  readonly access: EngineAccess
  readonly deliver: Deliver
}

const wholeHour = (at: number): Date => new Date(Math.floor(at / hourMs) * hourMs)

/** The panels of the built-in engine, each from the hour in which it was made, at the earliest from then on. */
async function panelsFrom({ db, access }: Simulation, from: Date): Promise<Metered[]> {
  const rows = await db
    .selectFrom('panels')
    .select(['external_id', 'created_at'])
    .where('panel_engine_id', '=', access.id)
    .where('external_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ external_id: panel, created_at }) => {
    if (panel === null) return []
    const made = wholeHour(Date.parse(created_at))
    return { panel, from: made > from ? made : from }
  })
}

/**
 * Tells what was used since the built-in engine last told it, up to the last whole hour that business has seen; at first,
 * since the day began. Resolves to whether the portal took it.
 */
export async function simulateUsage(simulation: Simulation): Promise<boolean> {
  const { rows } = await sql<{ now: string; told: string | null }>`select clock_now() as now,
    (select through from engine_watermarks where panel_engine_id = ${simulation.access.id}) as told`.execute(
    simulation.db,
  )
  const now = Date.parse(rows[0]?.now ?? '')
  const told = rows[0]?.told
  const from = new Date(Math.max(told ? Date.parse(told) : Math.floor(now / dayMs) * dayMs, now - oldestMs))
  const to = wholeHour(now)
  if (from >= to) return true
  const panels = await panelsFrom(simulation, from)
  return tellUsage(simulation.engine, simulation.access, simulation.deliver, { panels, to })
}

/**
 * Tells all that was used on a UTC day, which must be over for business. What was told before counts no second time.
 * Resolves to whether the portal took it.
 */
export async function simulateDay(simulation: Simulation, day: string): Promise<boolean> {
  const from = new Date(`${day}T00:00:00Z`)
  const to = new Date(from.getTime() + dayMs)
  const panels = await panelsFrom(simulation, from)
  return tellUsage(simulation.engine, simulation.access, simulation.deliver, { panels, to })
}
