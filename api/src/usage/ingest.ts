import type { UsageReceipt } from '@portico/contract/engine/usage.ts'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { answeredOnce, type SignedMessage } from '#workspaces/engines/engine-messages.ts'
import {
  aheadMs,
  type Counted,
  faultOf,
  faultSentences,
  type Known,
  knownOf,
  type ReadEvents,
  type Refused,
  readEvents,
} from './judged-events.ts'

const longestKept = 2000

/** A message with usage events. `strict`: one invalid event rejects them all. */
export type UsageMessage = SignedMessage & { readonly events: readonly unknown[]; readonly strict: boolean }

/** Counts the new events (see `usage_count`); returns their number. */
export async function count(
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

async function take(
  tx: Database,
  message: UsageMessage,
  { good, refused }: ReadEvents,
): Promise<UsageReceipt> {
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
  const events = readEvents(message.events)
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
