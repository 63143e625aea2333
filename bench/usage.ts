// What usage costs: taking events from an engine against plain COPY of the same rows into the same table, and reading the
// usage of a client with a million lines against that of one with a thousand. Rounds alternate between the two.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sign } from '../api/src/adapters/webhook-signature.ts'
import { withClient } from '../api/src/db/client.ts'
import type { Connection } from '../api/src/db/connection.ts'
import { giveAccounts } from './support/accounts.ts'
import { rounds, row, seconds } from './support/compare.ts'
import { benchDatabase } from './support/database.ts'
import { type Load, load, median } from './support/load.ts'
import { get, type Portal, signIn, startPortal } from './support/portal.ts'
import { fillUsage, meteredPanels } from './support/usage.ts'

const events = Number(process.env.EVENTS ?? 200_000)
const perMessage = 5000
const senders = 2
const panels = 100
const resources = 10
const leastRatio = 0.35
const mostTail = 2
const connections = 8
const dayMs = 86_400_000

const meters = ['cpu_hours', 'ram_gb_hours', 'disk_gb_hours', 'traffic_gb'] as const

type Event = {
  readonly id: string
  readonly panel: number
  readonly resource: string
  readonly meter: number
  readonly hour: number
}

/** A day of a fleet: every meter of every server by the hour, until there are enough. */
function eventsOf(round: string, ids: readonly number[]): Event[] {
  return Array.from({ length: events }, (_, i) => ({
    id: `${round}:${i}`,
    panel: ids[i % panels] ?? 0,
    resource: `server/s${Math.floor(i / panels) % resources}`,
    meter: Math.floor(i / panels / resources) % meters.length,
    hour: Math.floor(i / panels / resources / meters.length) % 24,
  }))
}

const dayOf = (round: number) => new Date(Date.now() - (2 + round) * dayMs).toISOString().slice(0, 10)
const hourOf = (day: string, hour: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000).toISOString()

function messagesOf(all: readonly Event[], day: string): string[] {
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

/** Seconds that the portal takes for all messages, from so many senders; what was there before is told back. */
async function send(
  portal: Portal,
  secret: string,
  messages: readonly string[],
): Promise<{ took: number; accepted: number }> {
  let accepted = 0
  const waiting = messages.map((body) => ({ body, headers: { ...sign([secret], body) } }))
  const begun = performance.now()
  const one = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const headers = {
        ...next.headers,
        'content-type': 'application/cloudevents-batch+json',
        'webhook-engine': 'bench',
      }
      const answer = await fetch(`${portal.url}/engine/v1/usage`, {
        method: 'POST',
        headers,
        body: next.body,
      })
      const receipt: { accepted: number } = JSON.parse(await answer.text())
      if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(receipt)}`)
      accepted += receipt.accepted
    }
  }
  await Promise.all(Array.from({ length: senders }, one))
  return { took: (performance.now() - begun) / 1000, accepted }
}

/** Seconds that PostgreSQL takes to copy the rows from a file. */
async function copy(connection: Connection, all: readonly Event[], day: string): Promise<number> {
  const file = path.join(os.tmpdir(), `portico-copy-${process.pid}.txt`)
  const lines = all.map(({ id, panel, resource, meter, hour }) =>
    [
      day,
      2,
      id,
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
      await client.query(`copy usage_events from '${file}'`)
      return (performance.now() - begun) / 1000
    })
  } finally {
    fs.rmSync(file)
  }
}

async function ingest(connection: Connection, portal: Portal): Promise<boolean> {
  const { secret, panels: ids } = await meteredPanels(connection, panels)
  const speeds: [number[], number[]] = [[], []]
  let twice = 0
  for (let round = 0; round <= rounds; round++) {
    const copied = await copy(connection, eventsOf(`c${round}`, ids), dayOf(2 * round))
    const messages = messagesOf(eventsOf(`i${round}`, ids), dayOf(2 * round + 1))
    await withClient(connection, (client) => client.query('checkpoint'))
    const { took, accepted } = await send(portal, secret, messages)
    if (accepted !== events) throw new Error(`${accepted} of ${events} were accepted`)
    if (round === rounds) {
      const again = await send(portal, secret, messages)
      if (again.accepted !== 0) throw new Error(`${again.accepted} were accepted twice`)
      twice = events / again.took
    }
    // The first round warms both.
    if (round > 0) {
      speeds[0].push(events / copied)
      speeds[1].push(events / took)
    }
  }
  const ratios = speeds[1].map((speed, at) => speed / (speeds[0][at] ?? Number.NaN))
  console.log(
    `${events} events in messages of ${perMessage}, ${senders} senders, signed, deduplicated, added up and rated`,
  )
  console.log(`  COPY   ${median(speeds[0]).toFixed(0).padStart(7)} rows/s`)
  console.log(
    `  ingest ${median(speeds[1]).toFixed(0).padStart(7)} events/s; the same again ${twice.toFixed(0)} events/s`,
  )
  console.log(
    `  ratio ${median(ratios).toFixed(2)}, at least ${leastRatio} (of rounds: ${ratios.map((one) => one.toFixed(2)).join(' ')})\n`,
  )
  return median(ratios) >= leastRatio
}

const clients = {
  few: { email: 'few@bench.test', panels: 5, resources: 4, days: 10 },
  many: { email: 'many@bench.test', panels: 50, resources: 20, days: 200 },
}

const base = '/api/v1/usages'
const sums = (payload: object) =>
  `${base}/-actions/summary?payload=${encodeURIComponent(JSON.stringify(payload))}`
const reads: Readonly<Record<string, string>> = {
  'the list': base,
  'the list by amount': `${base}?sort=-rated_amount`,
  'the list of a week': `${base}?filter[from]=${dayOf(5)}&page[size]=25`,
  'sums by day': sums({ group_by: ['day'] }),
  'sums by month': sums({ group_by: ['month'] }),
}

async function reading(connection: Connection, portal: Portal): Promise<boolean> {
  const lines = {
    few: await fillUsage(connection, clients.few),
    many: await fillUsage(connection, clients.many),
  }
  await withClient(connection, (client) => client.query('vacuum analyze'))
  await giveAccounts(
    connection,
    Object.values(clients).map(({ email }) => email),
  )
  const tokens = {
    few: await signIn(portal, clients.few.email),
    many: await signIn(portal, clients.many.email),
  }
  console.log(`A client with ${lines.few} lines and one with ${lines.many}, ${connections} connections`)
  let good = true
  for (const [name, address] of Object.entries(reads)) {
    const loads: [Load[], Load[]] = [[], []]
    await get(portal.url + address, tokens.many)
    for (let round = 0; round <= rounds; round++)
      for (const [at, who] of (['few', 'many'] as const).entries()) {
        const one = await load(portal.url + address, tokens[who], connections, seconds)
        if (round > 0) loads[at]?.push(one)
      }
    console.log(` ${name}`)
    row('few', loads[0])
    row('many', loads[1])
    const tails = loads[1].map(({ p99 }, at) => p99 / (loads[0][at]?.p99 ?? Number.NaN))
    console.log(`  ratio of p99 ${median(tails).toFixed(2)}, at most ${mostTail}`)
    good &&= median(tails) <= mostTail
  }
  return good
}

async function main(): Promise<boolean> {
  const database = await benchDatabase()
  const portal = await startPortal(database.connection)
  try {
    const taken = await ingest(database.connection, portal)
    const read = await reading(database.connection, portal)
    return taken && read
  } finally {
    portal.process.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await database.stop()
  }
}

process.exit((await main()) ? 0 : 1)
