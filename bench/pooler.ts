// Compares the dashboard's list through PgBouncer in transaction mode with the same list from a portal that asks
// PostgreSQL itself: requests per second in turns, and the processor time of the portal and of the database for a
// request. Needs `pgbouncer`, which nothing installs.
import fs from 'node:fs'
import os from 'node:os'
import { withClient } from '../api/src/platform/db/client.ts'
import type { Connection } from '../api/src/platform/db/connection.ts'
import { missingSettings, poolerConnection } from '../api/src/platform/db/external.ts'
import { hasPgBouncer, startPgBouncer } from '../api/test/support/pgbouncer.ts'
import { giveAccounts } from './support/accounts.ts'
import { rounds } from './support/compare.ts'
import { type BenchDatabase, benchDatabase, fill } from './support/database.ts'
import { endServers, median, requests, statuses } from './support/load.ts'
import { get, type Portal, signIn, startPortal, urlOf } from './support/portal.ts'

const list = '/api/v1/projects?include=panels&page%5Bsize%5D=25'
const email = 'client1@bench.test'
const each = 500
/** The requests of which none may be answered 5xx, however long the turns are. */
const many = 2000
// Until the code is compiled, requests cost several times as much.
const warmUps = 2
// As many as the portal that asks PostgreSQL itself has at most (POOL_SIZE).
const sessions = 10
const leastRatio = 0.8

/** Gives the role the settings that a pooler does not pass on, as the start of the portal advises. */
async function settleRole(connection: Connection): Promise<void> {
  const pooler = await startPgBouncer(connection, 1)
  const statements = await missingSettings(poolerConnection(pooler.url))
  await pooler.stop()
  if (statements.length > 0) await withClient(connection, (client) => client.query(statements.join('\n')))
}

/** The processor seconds of a process and of its children, those that ended included. */
function treeSeconds(pid: number): number {
  const stats = fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
      // After the name: state, parent, and from the twelfth field on the times in hundredths, of itself and of ended children.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [{ pid: Number(name), parent: Number(fields[1]), times: fields.slice(11, 15).map(Number) }]
    } catch {
      return []
    }
  })
  const seconds = (times: readonly number[]) => times.reduce((sum, one) => sum + one, 0) / 100
  return stats
    .filter((one) => one.pid === pid || one.parent === pid)
    .reduce((sum, one) => sum + seconds(one.pid === pid ? one.times : one.times.slice(0, 2)), 0)
}

/** The process of PgBouncer, which this one started. */
function poolerProcess(): number {
  const children = fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
  const found = children.find((pid) => fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'pgbouncer')
  if (found === undefined) throw new Error('PgBouncer does not run.')
  return Number(found)
}

/** A portal, and the processes that work for it: itself, the database and the pooler. */
type Side = { readonly portal: Portal; readonly token: string; readonly processes: readonly number[] }
type Turn = { readonly rps: number; readonly cpu: number; readonly parts: readonly number[] }

/** Requests the list so many times; returns requests per second and milliseconds of all processors for a request. */
async function turn({ portal, token, processes }: Side): Promise<Turn> {
  const before = processes.map(treeSeconds)
  const begun = performance.now()
  const failed = await requests(portal.url + list, token, each)
  if (failed > 0) throw new Error(`${failed} requests failed.`)
  const rps = (each * 1000) / (performance.now() - begun)
  const parts = processes.map((pid, at) => ((treeSeconds(pid) - (before[at] ?? 0)) * 1000) / each)
  return { rps, cpu: parts.reduce((sum, one) => sum + one, 0), parts }
}

/** Prints how the portal behind the pooler answers many requests; fails on any 5xx, and on what has no answer. */
async function answersOf({ portal, token }: Side): Promise<void> {
  const counts = await statuses(portal.url + list, token, many)
  console.log(
    `${many} requests through the pooler: ${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
  )
  const bad = [...counts].filter(([status, count]) => count > 0 && /^5|none/.test(status))
  if (bad.length > 0) throw new Error('Requests through the pooler failed.')
}

/** Prints the median of a ratio of all rounds, and returns it. */
function ratioOf(what: string, ratios: readonly number[]): number {
  const ratio = median(ratios)
  console.log(`  ${what} ${ratio.toFixed(2)} (of rounds: ${ratios.map((one) => one.toFixed(2)).join(' ')})`)
  return ratio
}

async function inTurns(direct: Side, pooled: Side): Promise<boolean> {
  const sizes = await Promise.all([direct, pooled].map(({ portal, token }) => get(portal.url + list, token)))
  if (sizes[0]?.length !== sizes[1]?.length) throw new Error('The two answer differently.')
  const taken: { direct: Turn; pooled: Turn }[] = []
  for (let round = 0; round < warmUps + rounds; round++) {
    const one = { direct: await turn(direct), pooled: await turn(pooled) }
    if (round >= warmUps) taken.push(one)
  }
  console.log(
    `GET ${list} (${sizes[0]?.length} bytes), 32 connections, ${each} requests in a turn; load average ${os.loadavg()[0]?.toFixed(1)}`,
  )
  for (const side of ['direct', 'pooled'] as const) {
    const of = (pick: (one: Turn) => number) => median(taken.map((one) => pick(one[side])))
    const parts = ['portal', 'database', 'pooler'].slice(0, taken[0]?.[side].parts.length)
    console.log(
      `  ${side}: ${of(({ rps }) => rps).toFixed(0)} requests/s, ${of(({ cpu }) => cpu).toFixed(2)} ms of processor time for each (${parts.map((name, at) => `${name} ${of((one) => one.parts[at] ?? 0).toFixed(2)}`).join(', ')})`,
    )
  }
  const ratio = ratioOf(
    `the aim is ${leastRatio}: requests/s, pooled over direct`,
    taken.map((one) => one.pooled.rps / one.direct.rps),
  )
  // Other work on the machine slows turns down, and is not in the processor time of these processes.
  ratioOf(
    'processor time, pooled over direct',
    taken.map((one) => one.pooled.cpu / one.direct.cpu),
  )
  return ratio >= leastRatio
}

async function measure({ connection, postmaster }: BenchDatabase): Promise<boolean> {
  await fill(connection, 1000)
  await giveAccounts(connection, [email])
  const direct = await startPortal(connection)
  await settleRole(connection)
  const pooler = await startPgBouncer(connection, sessions)
  try {
    const pooled = await startPortal(connection, {
      DATABASE_URL: pooler.url,
      DATABASE_POOLER: 'transaction',
      DATABASE_DIRECT_URL: urlOf(connection),
    })
    const database = postmaster() ?? 0
    const side = async (portal: Portal, ...more: number[]): Promise<Side> => ({
      portal,
      token: await signIn(portal, email),
      processes: [portal.process.pid ?? 0, database, ...more],
    })
    const behind = await side(pooled, poolerProcess())
    await answersOf(behind)
    const isGood = await inTurns(await side(direct), behind)
    await endServers(direct.process, pooled.process)
    return isGood
  } finally {
    await pooler.stop()
  }
}

async function main(): Promise<boolean> {
  if (!hasPgBouncer) throw new Error('Install pgbouncer first.')
  const database = await benchDatabase()
  // PgBouncer runs as the account of the database, which has to reach its socket.
  fs.chmodSync(database.dataDir, 0o755)
  try {
    return await measure(database)
  } finally {
    await database.stop()
  }
}

process.exit((await main()) ? 0 : 1)
