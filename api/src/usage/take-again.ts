import type { UsageRefusal } from '@portico/contract/engine/usage.ts'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { count } from './ingest.ts'
import { type Counted, faultOf, type Known, knownOf, readEvents } from './judged-events.ts'

/** The causes that may be gone: a panel or a meter has been added since, or the time has come. */
const curable: readonly UsageRefusal[] = ['unknown_panel', 'unknown_meter', 'too_new']

const batch = 5000

/** The most rejected events that one request looks at, which it does within its time. */
const mostLooked = 100_000

type Kept = { readonly id: number; readonly code: UsageRefusal; readonly event: string }

const keptOf = async (tx: Database, engineId: number, after: number, hold: boolean) => {
  const { rows } = await sql<Kept>`select id, code, event from usage_rejections
    where panel_engine_id = ${engineId} and code = any(${[...curable]}) and id > ${after}
    order by id limit ${batch} ${hold ? sql`for update` : sql``}`.execute(tx)
  return rows
}

/** The event as it was sent; nothing where it was cut. */
function sentOf({ event }: Kept): unknown {
  try {
    return JSON.parse(event)
  } catch {
    return undefined
  }
}

/** Rejected events that would be taken now. */
type Takeable = {
  readonly known: Known
  readonly some: readonly { readonly kept: Kept; readonly counted: Counted }[]
}

/** Passes on, batch by batch, which rejected events of an engine would be taken now. */
async function* takeable(
  tx: Database,
  engineId: number,
  { hold }: { readonly hold: boolean },
): AsyncGenerator<Takeable> {
  let after = 0
  for (let looked = 0; looked < mostLooked; looked += batch) {
    const rows = await keptOf(tx, engineId, after, hold)
    const { good } = readEvents(rows.map(sentOf))
    const known = await knownOf(tx, engineId, good)
    const some = good.flatMap((counted) => {
      const kept = rows[counted.index]
      return kept && faultOf(counted, known) === undefined ? [{ kept, counted }] : []
    })
    yield { known, some }
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? after
  }
}

/** What an engine's usage was rejected for. */
type Cause = {
  readonly code: UsageRefusal
  readonly events: number
  readonly last_at: string
  /** The last one as it was sent. */
  readonly example: string
}

/** The rejected usage of an engine by cause, and how many events of each would be taken now. */
export async function rejectionsOf(
  tx: Database,
  engineId: number,
): Promise<(Cause & { would_take: number })[]> {
  const { rows } = await sql<Cause>`select code, count(*)::int as events,
      to_char(max(last_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_at,
      (array_agg(event order by last_at desc, id desc))[1] as example
    from usage_rejections where panel_engine_id = ${engineId} group by code order by count(*) desc, code`.execute(
    tx,
  )
  const found = new Map<UsageRefusal, number>()
  for await (const { some } of takeable(tx, engineId, { hold: false }))
    for (const { kept } of some) found.set(kept.code, (found.get(kept.code) ?? 0) + 1)
  return rows.map((cause) => ({ ...cause, would_take: found.get(cause.code) ?? 0 }))
}

/**
 * Counts the rejected events of an engine whose cause is gone, each once, and forgets them; so it does those that the engine
 * sent again itself. The job of each minute rates them. Returns how many were counted, and how many were counted before.
 */
export async function takeAgain(tx: Database, engineId: number): Promise<{ taken: number; before: number }> {
  let [taken, forgotten] = [0, 0]
  for await (const { known, some } of takeable(tx, engineId, { hold: true })) {
    const events = new Map(some.map(({ counted }) => [`${counted.on} ${counted.id}`, counted]))
    taken += await count(tx, engineId, [...events.values()], known)
    const ids = some.map(({ kept }) => kept.id)
    await sql`delete from usage_rejections where id = any(${ids}::int8[])`.execute(tx)
    forgotten += ids.length
  }
  return { taken, before: forgotten - taken }
}
