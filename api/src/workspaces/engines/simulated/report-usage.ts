import { dayMs, hourMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import type { Meter, Metered } from './simulation.ts'

// What is older the portal does not take.
const oldestMs = 34 * dayMs

/** The built-in engine's way to the portal: the door that every engine comes by. */
export type Simulation = Meter & { readonly db: Database }

const wholeHour = (at: number): Date => new Date(Math.floor(at / hourMs) * hourMs)

/** The panels of the built-in engine, each from the hour in which it was made, at the earliest from then on. */
async function panelsFrom({ db, engineId }: Simulation, from: Date): Promise<Metered[]> {
  const rows = await db
    .selectFrom('panels')
    .select(['external_id', 'created_at'])
    .where('panel_engine_id', '=', engineId)
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
    (select through from engine_watermarks where panel_engine_id = ${simulation.engineId}) as told`.execute(
    simulation.db,
  )
  const now = Date.parse(rows[0]?.now ?? '')
  const told = rows[0]?.told
  const from = new Date(Math.max(told ? Date.parse(told) : Math.floor(now / dayMs) * dayMs, now - oldestMs))
  const to = wholeHour(now)
  // In the first hour of a day there is nothing to tell yet, but from when on: that day may be over when it is next asked.
  if (from >= to) return told ? true : simulation.tell({ panels: [], to })
  const panels = await panelsFrom(simulation, from)
  return simulation.tell({ panels, to })
}
