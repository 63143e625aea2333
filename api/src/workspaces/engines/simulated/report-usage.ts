import { dayMs, hourMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import type { Meter, Metered } from './simulation.ts'

// The portal does not accept older usage.
const oldestMs = 34 * dayMs

/** The built-in engine reports over the same API as every engine. */
export type Simulation = Meter & { readonly db: Database }

const wholeHour = (at: number): Date => new Date(Math.floor(at / hourMs) * hourMs)

/** The panels of the built-in engine, each from the hour of its creation, but not before `from`. */
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
 * Reports the usage since the last report of the built-in engine up to the last complete hour of the business
 * clock; the first report starts at the beginning of the day. Resolves to whether the portal accepted it.
 */
export async function simulateUsage(simulation: Simulation): Promise<boolean> {
  const { rows } = await sql<{ now: string; watermark: string | null }>`select clock_now() as now,
    (select through from engine_watermarks where panel_engine_id = ${simulation.engineId}) as watermark`.execute(
    simulation.db,
  )
  const now = Date.parse(rows[0]?.now ?? '')
  const watermark = rows[0]?.watermark
  const from = new Date(
    Math.max(watermark ? Date.parse(watermark) : Math.floor(now / dayMs) * dayMs, now - oldestMs),
  )
  const to = wholeHour(now)
  // In the first hour of a day there is no usage yet, but the start must be recorded: that day may be over at
  // the next call.
  if (from >= to) return watermark ? true : simulation.report({ panels: [], to })
  const panels = await panelsFrom(simulation, from)
  return simulation.report({ panels, to })
}
