import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Pool } from '#platform/db/pool.ts'
import { sign } from '#platform/webhook-signature.ts'

/** A usage event as an engine would send it; any part can be said otherwise, also wrongly. */
export type Sent = { readonly data?: Record<string, unknown>; readonly [part: string]: unknown }

let made = 0

/** An event of one hour of a server's processors in a panel, unless it says something else. */
export function usageEvent(panel: number, { data, ...more }: Sent = {}) {
  return {
    specversion: '1.0',
    id: `event-${++made}`,
    source: 'urn:engine:test',
    type: 'usage.v1',
    subject: `panel/${panel}`,
    data: {
      resource: 'server/server1',
      meter: 'cpu_hours',
      start: '2026-03-10T13:00:00Z',
      end: '2026-03-10T14:00:00Z',
      quantity: '2.000000',
      ...data,
    },
    ...more,
  }
}

type Receipt = {
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: readonly { readonly index: number; readonly id: string | null; readonly code: string }[]
}

/** An engine that reports usage through the public API. */
export class MeteringEngine {
  readonly #app: FastifyInstance
  readonly #code: string
  readonly #secret: string

  constructor(app: FastifyInstance, code: string, secret: string) {
    this.#app = app
    this.#code = code
    this.#secret = secret
  }

  async post(
    path: 'usage' | 'watermark',
    body: string,
    more: { id?: string; secret?: string; headers?: Record<string, string> } = {},
  ) {
    const answer = await this.#app.inject({
      method: 'POST',
      url: `/engine/v1/${path}`,
      headers: {
        'content-type': path === 'usage' ? 'application/cloudevents-batch+json' : 'application/json',
        'webhook-engine': this.#code,
        ...sign([more.secret ?? this.#secret], body, more.id === undefined ? {} : { id: more.id }),
        ...more.headers,
      },
      payload: body,
    })
    return { status: answer.statusCode, text: answer.body, json: () => answer.json() }
  }

  /** Sends a message that is taken. */
  async send(events: readonly unknown[]): Promise<Receipt> {
    const answer = await this.post('usage', JSON.stringify(events))
    if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`)
    return answer.json()
  }
}

/** Has these panels belong to an engine. */
export async function belongTo(pool: Pool, code: string, panels: readonly number[]): Promise<void> {
  await sql`update panels set panel_engine_id = (select id from panel_engines where code = ${code})
    where id = any(${[...panels]}::int8[])`.execute(pool.kysely)
}

/**
 * Usage on days of 2026: two servers with two meters in each panel, rated. Named days are charged, including late usage.
 * Written straight to the sums, as ingest would leave them.
 */
export async function makeUsage(
  pool: Pool,
  {
    client,
    panels,
    days,
    charged = [],
  }: { client: number; panels: readonly number[]; days: readonly string[]; charged?: readonly string[] },
): Promise<void> {
  const db = pool.kysely
  const add = (quantity: number) =>
    sql`insert into usage_meter_days as d (usage_on, panel_id, resource_ref, meter_id, quantity, events)
      select day, panel, ref, m.id, ${quantity}::numeric, 24
      from unnest(${[...days]}::date[]) day, unnest(${[...panels]}::int8[]) panel,
        unnest(array['server/server1', 'server/server2']) ref, meters m where m.code in ('cpu_hours', 'ram_gb_hours')
      on conflict (usage_on, panel_id, resource_ref, meter_id) do update set quantity = d.quantity + excluded.quantity,
        dirty = true`.execute(db)
  const settle = async () => {
    await sql`select usage_rate(100000)`.execute(db)
    for (const day of charged) await sql`select charge_client_day(${client}, ${day})`.execute(db)
  }
  await add(100)
  await settle()
  if (charged.length === 0) return
  await add(1)
  await settle()
}

export type DailyUse = {
  readonly panel: number
  readonly resource: string
  readonly meter: string
  readonly from: string
  readonly to: string
  readonly quantity: string | number
}

/** Use of the same quantity on each day of a range, as ingest would leave it. It is not rated yet. */
export async function addDailyUse({ kysely: db }: Pool, uses: readonly DailyUse[]): Promise<void> {
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select day::date, u.panel, u.resource, m.id, u.quantity, 1
    from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
      as u (panel int8, resource text, meter text, "from" date, "to" date, quantity numeric)
    join meters m on m.code = u.meter
    cross join generate_series(u."from"::timestamp, u."to"::timestamp, interval '1 day') day`.execute(db)
}

/** Another price of a meter in the standard list from a day on. */
export async function priceFrom(
  { kysely: db }: Pool,
  meter: string,
  day: string,
  price: string,
): Promise<void> {
  await sql`update prices set valid = daterange(lower(valid), ${day}) where valid @> ${day}::date and plan_id is null
    and meter_id = (select id from meters where code = ${meter})
    and price_list_id = (select id from price_lists where code = 'standard')`.execute(db)
  await sql`insert into prices (price_list_id, meter_id, valid, unit_price)
    select l.id, m.id, daterange(${day}, null), ${price} from price_lists l, meters m
    where l.code = 'standard' and m.code = ${meter}`.execute(db)
}
