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
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { answeredOnce, type SignedMessage } from '#workspaces/engines/engine-messages.ts'

const oldestMs = 35 * dayMs
const aheadMs = 300_000
const longestKept = 2000

/** A message with usage events. `strict`: one invalid event rejects them all. */
export type UsageMessage = SignedMessage & { readonly events: readonly unknown[]; readonly strict: boolean }

type Refused = UsageReceipt['rejected'][number]

/** A valid event with the columns of `usage_events`. */
type Counted = {
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
type Known = {
  readonly now: number
  readonly panels: ReadonlySet<number>
  readonly meters: ReadonlyMap<string, number>
}

const faultSentences: Record<Exclude<UsageRefusal, 'invalid' | 'invalid_quantity'>, string> = {
  invalid_interval: 'end must come after start.',
  crosses_midnight: 'An interval must lie within one UTC day; send the part after midnight as another event.',
  too_old: 'start is more than 35 days ago.',
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
  if (start < now - oldestMs) return 'too_old'
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
type Read = { readonly good: readonly Counted[]; readonly refused: readonly Refused[] }

/** Splits events by whether they match the schema. */
function read(events: readonly unknown[]): Read {
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

async function knownOf(tx: Database, engineId: number, events: readonly Counted[]): Promise<Known> {
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

function faultOf(
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

/** Counts the new events (see `usage_count`); returns their number. */
async function count(
  tx: Database,
  engineId: number,
  events: readonly Counted[],
  known: Known,
): Promise<number> {
  if (events.length === 0) return 0
  // No value contains a line break, and joined text is cheaper to build than an array of thousands of quoted
  // values.
  const sent = (values: readonly unknown[]) => sql`string_to_array(${values.join('\n')}, E'\n')`
  const column = (name: keyof Counted) => sent(events.map((event) => event[name]))
  const meters = sent(events.map(({ meter }) => known.meters.get(meter)))
  const { rows } = await sql<{ accepted: number }>`select usage_count(${engineId}, ${column('on')}::date[],
    ${column('id')}, ${column('panel')}::int8[], ${column('resource')}, ${meters}::int2[],
    ${column('start')}::timestamptz[], ${column('end')}::timestamptz[], ${column('quantity')}::numeric[]) as accepted`.execute(
    tx,
  )
  return rows[0]?.accepted ?? 0
}

/** Stores rejected events for the operator, once for each event and reason. */
async function keepRefused(tx: Database, { engineId, events }: UsageMessage, refused: readonly Refused[]) {
  const sent = refused.map(({ index }) => (JSON.stringify(events[index]) ?? '').slice(0, longestKept))
  await sql`
    insert into usage_rejections as r (panel_engine_id, event_id, code, event, times)
    select ${engineId}, id, code, min(event), count(*)::int
    from unnest(${refused.map(({ id }) => id ?? '')}::text[], ${refused.map(({ code }) => code)}::text[], ${sent}::text[])
      s (id, code, event)
    group by id, code order by id, code
    on conflict (panel_engine_id, event_id, code) do update set times = r.times + excluded.times, last_at = now()`.execute(
    tx,
  )
}

async function take(tx: Database, message: UsageMessage, { good, refused }: Read): Promise<UsageReceipt> {
  const known = await knownOf(tx, message.engineId, good)
  const rejected = [...refused]
  // Duplicates within a message are dropped: the first event with an id on a day counts.
  const counted = new Map<string, Counted>()
  for (const event of good) {
    const code = faultOf(event, known)
    const key = `${event.on} ${event.id}`
    if (code) rejected.push({ index: event.index, id: event.id, code, detail: faultSentences[code] })
    else if (!counted.has(key)) counted.set(key, event)
  }
  rejected.sort((a, b) => a.index - b.index)
  if (message.strict && rejected.length > 0)
    throw refuse(
      'usage_events_refused',
      { count: rejected.length },
      {
        meta: { rejected },
      },
    )
  const accepted = await count(tx, message.engineId, [...counted.values()], known)
  if (rejected.length > 0) await keepRefused(tx, message, rejected)
  return { accepted, duplicates: message.events.length - rejected.length - accepted, rejected }
}

/** Queue a rating job (deduplicated by key), which makes the usage visible. */
export const requestRating = (tx: Database): Promise<void> =>
  enqueue(tx, 'usage.rate', {}, { key: 'usage.rate', queue: 'usage.rate' })

/**
 * Records reported usage, each event once however often it is sent. Returns the receipt as JSON. Throws
 * `webhook_id_reused` when another message has the same id, and `usage_events_refused` when a strict message
 * has an invalid event.
 */
export async function receiveUsage(db: Database, message: UsageMessage, now: Date): Promise<string> {
  // Parsed before a connection is taken.
  const events = read(message.events)
  let accepted = 0
  const receipt = await answeredOnce(db, message, now, async (tx) => {
    const taken = await take(tx, message, events)
    accepted = taken.accepted
    return taken
  })
  // After the commit: an uncommitted request would block or hide the job of other messages. The changed sums
  // are marked in the same transaction and checked every minute, in case this process dies here.
  if (accepted > 0) await requestRating(db)
  return receipt
}

/**
 * Records that an engine has sent all usage up to a moment; the watermark never goes back. Returns it as
 * JSON. Throws `watermark_ahead` for a moment in the future.
 */
export const receiveWatermark = (
  db: Database,
  message: SignedMessage,
  through: string,
  now: Date,
): Promise<string> =>
  answeredOnce(db, message, now, async (tx) => {
    const { rows } = await sql<{ through: string }>`
      insert into engine_watermarks as w (panel_engine_id, through)
      select ${message.engineId}, ${new Date(through).toISOString()}::timestamptz
      where ${new Date(through).toISOString()}::timestamptz <= clock_now() + ${aheadMs} * interval '1 ms'
      on conflict (panel_engine_id) do update set through = greatest(w.through, excluded.through), updated_at = now()
      returning through`.execute(tx)
    if (!rows[0]) throw refuse('watermark_ahead', {}, { source: { pointer: '/through' } })
    return rows[0]
  })
