// Measures usage: accepting events from engines compared with a plain COPY of the same rows into the same
// table, and reading the usage of a client with a million lines compared with one with a thousand. Rounds
// alternate between the two.
import os from 'node:os'
import { withClient } from '../api/src/platform/db/client.ts'
import type { Connection } from '../api/src/platform/db/connection.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { rateUsage } from '../api/src/usage/charging.ts'
import { giveAccounts } from './support/accounts.ts'
import { rounds, row, seconds } from './support/compare.ts'
import { benchDatabase } from './support/database.ts'
import { copy, dayOf, eventsOf, messagesOf, perMessage } from './support/events.ts'
import { endServers, type Load, load, median } from './support/load.ts'
import { get, type Portal, signIn, startPortal } from './support/portal.ts'
import { byService, type Message, overHttp, type Taken, visible } from './support/take-usage.ts'
import { fillUsage, type MeteredEngine, meteredPanels } from './support/usage.ts'

const events = Number(process.env.EVENTS ?? 200_000)
const engines = 2
const senders = 4
const panels = 50
// Deduplicating and summing is compared with COPY. Over HTTP the same two cores also send, sign, verify and
// rate, so that path is compared with the engines' permitted rate.
const leastRatio = 0.35
const leastASecond = 25_000
const mostTail = 2
const connections = 8
// The promised delay of an event holds at half of the maximum rate.
const pacedPart = 0.5
const pacedSeconds = Number(process.env.PACED_SECONDS ?? 30)
const longestUnseenMs = 1000

function messages(
  round: string,
  fleet: readonly MeteredEngine[],
  day: string,
  ofEach = events / engines,
): Message[] {
  const each = fleet.map((engine) =>
    messagesOf(eventsOf(round, engine, ofEach), day).map((body) => ({ engine, body })),
  )
  // Alternating, as engines would.
  return (each[0] ?? []).flatMap((_, at) => each.flatMap((of) => of[at] ?? []))
}

/** So many messages of full size; each of an engine's messages names all its resources. */
const pacedMessages = (fleet: readonly MeteredEngine[], count: number): Message[] =>
  messages('paced', fleet, dayOf(0), Math.ceil((count * perMessage) / engines)).slice(0, count)

type Speed = { readonly ratio: number; readonly aSecond: number }
type Way = {
  readonly name: string
  readonly take: (all: readonly Message[]) => Promise<Taken>
  readonly aim: string
  readonly isGood: (speed: Speed) => boolean
}

const settle = (connection: Connection) => withClient(connection, (client) => client.query('checkpoint'))

/**
 * One way of accepting events compared with COPY, in rounds; returns whether it is fast enough, and its
 * events per second.
 */
async function against(
  connection: Connection,
  fleet: readonly MeteredEngine[],
  { name, take, aim, isGood }: Way,
  firstDay: number,
): Promise<{ good: boolean; sustained: number }> {
  const speeds: { copy: number; take: number }[] = []
  let again = 0
  for (let round = 0; round <= rounds; round++) {
    const rows = fleet.flatMap((engine) => eventsOf(`copied${round}`, engine, events / engines))
    const copied = await copy(connection, rows, dayOf(firstDay + 2 * round))
    const all = messages(`taken${round}`, fleet, dayOf(firstDay + 2 * round + 1))
    await settle(connection)
    const { took, accepted } = await take(all)
    if (accepted !== events) throw new Error(`${accepted} of ${events} were accepted`)
    // The first round is a warm-up.
    if (round > 0) speeds.push({ copy: events / copied, take: events / took })
    if (round === rounds) {
      const twice = await take(all)
      if (twice.accepted !== 0) throw new Error(`${twice.accepted} were accepted twice`)
      again = events / twice.took
    }
  }
  const ratios = speeds.map((one) => one.take / one.copy)
  const of = (side: 'copy' | 'take') => median(speeds.map((one) => one[side])).toFixed(0)
  console.log(
    ` ${name}: ${of('take')} events/s, COPY ${of('copy')} rows/s; the same again ${again.toFixed(0)} events/s`,
  )
  console.log(
    `  ratio ${median(ratios).toFixed(2)} (of rounds: ${ratios.map((one) => one.toFixed(2)).join(' ')}); the aim is ${aim}`,
  )
  const sustained = median(speeds.map((one) => one.take))
  return { good: isGood({ ratio: median(ratios), aSecond: sustained }), sustained }
}

/**
 * The delay of an event while messages arrive at half of the maximum rate; returns whether it is short
 * enough.
 */
async function seen(
  connection: Connection,
  portal: Portal,
  { fleet, probes }: { readonly fleet: readonly MeteredEngine[]; readonly probes: readonly MeteredEngine[] },
  sustained: number,
): Promise<boolean> {
  const perSecond = (sustained * pacedPart) / perMessage
  const paced = pacedMessages(fleet, Math.ceil(perSecond * pacedSeconds))
  const { times, rate } = await visible(connection, portal, { probes, messages: paced, perSecond })
  const at = (part: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  console.log(
    ` ${times.length} events while ${rate.toFixed(0)} a second come: seen in what the day costs after p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, at most ${longestUnseenMs}\n`,
  )
  return at(0.99) <= longestUnseenMs
}

async function ingest(connection: Connection): Promise<boolean> {
  await installJobs(connection)
  // One before all others and one after them, so that the order of rating favours neither.
  const probes = [await meteredPanels(connection, 1, 'first')]
  const fleet: MeteredEngine[] = []
  for (let i = 1; i <= engines; i++) fleet.push(await meteredPanels(connection, panels, `bench${i}`))
  probes.push(await meteredPanels(connection, 1, 'last'))
  console.log(
    `${events} events of ${engines} engines in messages of 5000, ${senders} at a time, deduplicated and added up; load average ${os.loadavg()[0]?.toFixed(1)}`,
  )
  const pool = new Pool(connection, senders, () => undefined)
  const service = await against(
    connection,
    fleet,
    {
      name: 'by the service',
      take: (all) => byService(pool, all, senders),
      aim: `a ratio of ${leastRatio}`,
      isGood: ({ ratio }) => ratio >= leastRatio,
    },
    0,
  )
  const begun = performance.now()
  const { rated } = await rateUsage(pool.kysely)
  console.log(`  rating ${rated} sums: ${(performance.now() - begun).toFixed(0)} ms`)
  await pool.close()
  const portal = await startPortal(connection)
  try {
    const http = await against(
      connection,
      fleet,
      {
        name: 'over HTTP, signed, with concurrent rating',
        take: (all) => overHttp(portal, all, senders),
        aim: `${leastASecond} events a second`,
        isGood: ({ aSecond }) => aSecond >= leastASecond,
      },
      2 * rounds + 2,
    )
    const soon = await seen(connection, portal, { fleet, probes }, http.sustained)
    return service.good && http.good && soon
  } finally {
    await endServers(portal.process)
  }
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

// A chart of a month: the promised time for summing the days of a hundred resources.
const month = { email: 'month@bench.test', panels: 10, resources: 10, days: 30 }
const longestSumMs = 50
const splits = [['day'], ['resource'], ['day', 'panel'], ['meter']]

/**
 * Measures sums over thirty days of a hundred resources, one after another; returns whether all are fast
 * enough.
 */
async function aggregating(connection: Connection, portal: Portal): Promise<boolean> {
  const lines = await fillUsage(connection, month)
  await withClient(connection, (client) => client.query('vacuum analyze'))
  await giveAccounts(connection, [month.email])
  const token = await signIn(portal, month.email)
  console.log(`Sums over ${month.days} days of ${month.panels * month.resources} resources, ${lines} lines`)
  let good = true
  for (const group_by of splits) {
    const address = portal.url + sums({ from: dayOf(28), to: dayOf(-1), group_by })
    await load(address, token, 1, 1)
    const one = await load(address, token, 1, seconds)
    row(group_by.join('+'), [one])
    good &&= one.p99 <= longestSumMs && one.failed === 0
  }
  console.log(`  p99 at most ${longestSumMs} ms\n`)
  return good
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
  const { connection } = database
  try {
    const taken = process.env.ONLY === 'reading' || (await ingest(connection))
    if (process.env.ONLY === 'ingest') return taken
    const portal = await startPortal(connection)
    const read = async () => {
      const soon = await aggregating(connection, portal)
      return (await reading(connection, portal)) && soon
    }
    return (await read().finally(() => endServers(portal.process))) && taken
  } finally {
    await database.stop()
  }
}

process.exit((await main()) ? 0 : 1)
