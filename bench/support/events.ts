import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { withClient } from '../../api/src/platform/db/client.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import type { MeteredEngine } from './usage.ts'

/** The maximum number of events in a message. */
export const perMessage = 5000
const resources = 10
const dayMs = 86_400_000
const meters = ['cpu_hours', 'ram_gb_hours', 'disk_gb_hours', 'traffic_gb'] as const

export type Event = {
  readonly id: string
  readonly engine: number
  readonly panel: number
  readonly resource: string
  readonly meter: number
  readonly hour: number
}

/** A day of an engine's servers: every meter of every server by the hour, up to a number of events. */
export function eventsOf(round: string, { id, panels }: MeteredEngine, count: number): Event[] {
  const each = panels.length
  return Array.from({ length: count }, (_, i) => ({
    id: `${round}:${i}`,
    engine: id,
    panel: panels[i % each] ?? 0,
    resource: `server/s${Math.floor(i / each) % resources}`,
    meter: Math.floor(i / each / resources) % meters.length,
    hour: Math.floor(i / each / resources / meters.length) % 24,
  }))
}

export const dayOf = (round: number): string =>
  new Date(Date.now() - (2 + round) * dayMs).toISOString().slice(0, 10)

const hourOf = (day: string, hour: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000).toISOString()

/** The events as an engine sends them, in full messages. */
export function messagesOf(all: readonly Event[], day: string): string[] {
  const messages: string[] = []
  for (let at = 0; at < all.length; at += perMessage)
    messages.push(
      JSON.stringify(
        all.slice(at, at + perMessage).map(({ id, panel, resource, meter, hour }) => ({
          specversion: '1.0',
          id,
          source: 'urn:engine:bench',
          type: 'usage.v1',
          subject: `panel/${panel}`,
          data: {
            resource,
            meter: meters[meter],
            start: hourOf(day, hour),
            end: hourOf(day, hour + 1),
            quantity: '1.500000',
          },
        })),
      ),
    )
  return messages
}

/** The key of an event, as `usage_count` computes it. */
const keyOf = (engine: number, id: string) =>
  createHash('sha256').update(`${engine}:${id}`).digest('hex').slice(0, 32)

/** Seconds that PostgreSQL takes to copy the rows from a file. */
export async function copy(connection: Connection, all: readonly Event[], day: string): Promise<number> {
  const file = path.join(os.tmpdir(), `portico-copy-${process.pid}.txt`)
  const lines = all.map(({ id, engine, panel, resource, meter, hour }) =>
    [
      day,
      engine,
      keyOf(engine, id),
      panel,
      resource,
      meter + 1,
      hourOf(day, hour),
      hourOf(day, hour + 1),
      '1.500000',
      hourOf(day, 0),
    ].join('\t'),
  )
  fs.writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  try {
    return await withClient(connection, async (client) => {
      await client.query(`select usage_partitions(array['${day}'::date])`)
      await client.query('checkpoint')
      const begun = performance.now()
      await client.query(`copy keyed_usage_events (occurred_on, panel_engine_id, event_key, panel_id, resource_ref, meter_id,
        period_start, period_end, quantity, received_at) from '${file}'`)
      return (performance.now() - begun) / 1000
    })
  } finally {
    fs.rmSync(file)
  }
}
