// Measures what an event of usage takes in the database, in a day whose events have ids, as before migration 0290,
// and in one whose events have keys, and how fast each is counted. Turns alternate between the two. Then what a day of
// a resource takes for good, on a tenth of ten thousand panels; `ONLY=days` measures that alone.
import { withClient } from '../api/src/platform/db/client.ts'
import type { Connection } from '../api/src/platform/db/connection.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { benchDatabase } from './support/database.ts'
import { dayOf, eventsOf, messagesOf } from './support/events.ts'
import { median } from './support/load.ts'
import { byService } from './support/take-usage.ts'
import { fillUsage, type MeteredEngine, meteredPanels } from './support/usage.ts'

const events = Number(process.env.EVENTS ?? 1_000_000)
const turns = 5
const senders = 4
const panels = 50
const idCharacters = 50
const mostBytes = 175

const days = { ids: dayOf(0), keys: dayOf(1) }
const partitionOf = (day: string) => `usage_events_${day.replaceAll('-', '')}`

/** The prefix of ids that makes them as long as those of an engine that names what was used when. */
const prefixOf = (turn: number) => `turn${turn}`.padEnd(idCharacters - 7, '-')

async function bytesOf(connection: Connection, day: string): Promise<number> {
  const { rows } = await withClient(connection, async (client) => {
    await client.query(`vacuum analyze ${partitionOf(day)}`)
    return client.query<{ table: string; index: string; rows: string }>(
      `select pg_table_size(c) as table, pg_indexes_size(c) as index, (select count(*) from ${partitionOf(day)}) as rows
       from to_regclass('${partitionOf(day)}') c`,
    )
  })
  const [size] = rows
  if (Number(size?.rows) !== events) throw new Error(`${size?.rows} of ${events} events are there.`)
  const [table, index] = [Number(size?.table) / events, Number(size?.index) / events]
  console.log(` ${day}: table ${table.toFixed(0)}, index ${index.toFixed(0)} bytes an event`)
  return table + index
}

async function measure(connection: Connection, fleet: readonly MeteredEngine[]): Promise<boolean> {
  await withClient(connection, (client) =>
    client.query(`create table ${partitionOf(days.ids)} partition of usage_events
      for values from ('${days.ids}') to (date '${days.ids}' + 1)`),
  )
  const pool = new Pool(connection, senders, () => undefined)
  const each = events / turns
  const speeds: { ids: number; keys: number }[] = []
  for (let turn = 0; turn < turns; turn++) {
    const speed = { ids: 0, keys: 0 }
    for (const kind of ['ids', 'keys'] as const) {
      const messages = fleet.flatMap((engine) => {
        const bodies = messagesOf(eventsOf(prefixOf(turn), engine, each / fleet.length), days[kind])
        return bodies.map((body) => ({ engine, body }))
      })
      await withClient(connection, (client) => client.query('checkpoint'))
      const { took, accepted } = await byService(pool, messages, senders)
      if (accepted !== each) throw new Error(`${accepted} of ${each} were accepted.`)
      speed[kind] = each / took
    }
    speeds.push(speed)
  }
  await pool.close()
  const ratios = speeds.map(({ ids, keys }) => keys / ids)
  console.log(
    ` counted by key over by id ${median(ratios).toFixed(2)} (turns ${ratios.map((one) => one.toFixed(2)).join(', ')}); ${median(speeds.map(({ keys }) => keys)).toFixed(0)} events/s by key`,
  )
  const before = await bytesOf(connection, days.ids)
  const after = await bytesOf(connection, days.keys)
  console.log(` bytes an event: ${before.toFixed(0)} by id, ${after.toFixed(0)} by key; at most ${mostBytes}`)
  return after <= mostBytes
}

const keptTables = ['usage_meter_days', 'usages', 'usage_lines', 'usage_panel_days', 'usage_client_days']
const kept = { panels: 1000, resources: 3, days: 10 }

/** What is kept of a day for good: the size of its tables by day and resource, each with five meters. */
async function measureDays(connection: Connection): Promise<void> {
  const lines = await fillUsage(connection, { email: 'kept@bench.test', ...kept })
  await withClient(connection, (client) =>
    client.query(`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events, dirty)
      select u.usage_on, u.panel_id, u.resource_ref, l.meter_id, l.quantity, 24, false
      from usage_lines l join usages u on u.id = l.usage_id`),
  )
  const days = kept.panels * kept.resources * kept.days
  if (lines !== days * 5) throw new Error(`${lines} lines are there.`)
  let all = 0
  for (const table of keptTables) {
    const { rows } = await withClient(connection, async (client) => {
      await client.query(`vacuum analyze ${table}`)
      return client.query<{ bytes: string }>(`select pg_total_relation_size('${table}') as bytes`)
    })
    const bytes = Number(rows[0]?.bytes) / days
    all += bytes
    console.log(` ${table}: ${bytes.toFixed(0)} bytes`)
  }
  console.log(` bytes of a resource's day with five meters: ${all.toFixed(0)}`)
}

async function main(): Promise<boolean> {
  const database = await benchDatabase()
  const { connection } = database
  try {
    await installJobs(connection)
    await measureDays(connection)
    if (process.env.ONLY === 'days') return true
    const fleet = [
      await meteredPanels(connection, panels, 'one'),
      await meteredPanels(connection, panels, 'two'),
    ]
    return await measure(connection, fleet)
  } finally {
    await database.stop()
  }
}

process.exit((await main()) ? 0 : 1)
