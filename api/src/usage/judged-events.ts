import {
  type UsageEvent,
  type UsageReceipt,
  type UsageRefusal,
  usageEvent,
} from '@portico/contract/engine/usage.ts'
import { faultInWords } from '@portico/contract/refusals/fields.ts'
import { dayMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Database } from '#platform/db/pool.ts'

/** How many days after it began an interval is still accepted; `uncharged_use.sql` has the same number. */
export const lateDays = 35

/** How far ahead of the portal's the clock of an engine may be. */
export const aheadMs = 300_000

/** A rejected event of a receipt. */
export type Refused = UsageReceipt['rejected'][number]

/** A valid event with the columns of `keyed_usage_events`. */
export type Counted = {
  readonly index: number
  readonly id: string
  readonly on: string
  readonly panel: number
  readonly resource: string
  readonly meter: string
  readonly start: string
  readonly end: string
  /** The start of the interval in milliseconds. */
  readonly begins: number
  readonly ends: number
  readonly quantity: string
}

/** The known subjects of the events, and the business time. */
export type Known = {
  readonly now: number
  readonly panels: ReadonlySet<number>
  readonly meters: ReadonlyMap<string, number>
}

/** What an engine is told of a fault. */
export const faultSentences: Record<Exclude<UsageRefusal, 'invalid' | 'invalid_quantity'>, string> = {
  invalid_interval: 'end must come after start.',
  crosses_midnight: 'An interval must lie within one UTC day; send the part after midnight as another event.',
  too_old: `start is more than ${lateDays} days ago.`,
  too_new: 'end is in the future.',
  unknown_panel: 'This engine has no such panel.',
  unknown_meter: 'This meter does not exist.',
}

function idOf(event: unknown): string | null {
  const id = typeof event === 'object' && event !== null && 'id' in event ? event.id : undefined
  return z.safeParse(usageEvent.shape.id, id).data ?? null
}

/** The fault of an interval, if any. */
function faultOfInterval(start: number, end: number, now: number): keyof typeof faultSentences | undefined {
  if (end <= start) return 'invalid_interval'
  if (end > (Math.floor(start / dayMs) + 1) * dayMs) return 'crosses_midnight'
  if (start < now - lateDays * dayMs) return 'too_old'
  if (end > now + aheadMs) return 'too_new'
  return undefined
}

/** Caches parsed timestamps by text: a message has thousands of events, and few different hours. */
class Moments {
  readonly #known = new Map<string, { readonly iso: string; readonly ms: number }>()

  read(text: string): { readonly iso: string; readonly ms: number } {
    const known = this.#known.get(text)
    if (known) return known
    const ms = Date.parse(text)
    const moment = { iso: new Date(ms).toISOString(), ms }
    this.#known.set(text, moment)
    return moment
  }
}

function countedOf(index: number, { id, subject, data }: UsageEvent, moments: Moments): Counted {
  const start = moments.read(data.start)
  const end = moments.read(data.end)
  return {
    index,
    id,
    on: start.iso.slice(0, 10),
    panel: Number(subject.slice('panel/'.length)),
    resource: data.resource,
    meter: data.meter,
    start: start.iso,
    end: end.iso,
    begins: start.ms,
    ends: end.ms,
    quantity: data.quantity,
  }
}

/** The valid and the rejected events of a message. */
export type ReadEvents = { readonly good: readonly Counted[]; readonly refused: readonly Refused[] }

/** Splits events by whether they match the schema. */
export function readEvents(events: readonly unknown[]): ReadEvents {
  const good: Counted[] = []
  const refused: Refused[] = []
  const moments = new Moments()
  for (const [index, event] of events.entries()) {
    const result = z.safeParse(usageEvent, event)
    if (result.success) {
      good.push(countedOf(index, result.data, moments))
      continue
    }
    const [issue] = result.error.issues
    const place = issue?.path.map(String).join('.') || 'the event'
    const code = place === 'data.quantity' ? 'invalid_quantity' : 'invalid'
    refused.push({
      index,
      id: idOf(event),
      code,
      detail: `${place}: ${faultInWords(issue?.message ?? '', 'en')}`,
    })
  }
  return { good, refused }
}

/** The panels of an engine among those of the events, the meters, and the business time. */
export async function knownOf(tx: Database, engineId: number, events: readonly Counted[]): Promise<Known> {
  const named = [...new Set(events.map(({ panel }) => panel))]
  const { rows } = await sql<{ now: string; meters: Record<string, number>; panels: number[] | null }>`
    select clock_now() as now, (select jsonb_object_agg(code, id) from meters where not by_portal) as meters,
      (select jsonb_agg(id) from panels where panel_engine_id = ${engineId} and id = any(${named}::int8[])) as panels`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('The database returned no row.')
  return {
    now: Date.parse(row.now),
    panels: new Set(row.panels),
    meters: new Map(Object.entries(row.meters)),
  }
}

/** Why a valid event cannot be counted now, if so. */
export function faultOf(
  { begins, ends, panel, resource, meter }: Counted,
  known: Known,
): keyof typeof faultSentences | undefined {
  const fault = faultOfInterval(begins, ends, known.now)
  if (fault) return fault
  // An engine may only report its own panels, and learns nothing about others.
  if (!known.panels.has(panel)) return 'unknown_panel'
  // Only the portal itself counts the hours of plans.
  if (!known.meters.has(meter) || resource.startsWith('plan/')) return 'unknown_meter'
  return undefined
}
