// `npm run bench:replicas`: requests a second of the dashboard's list over three replicas behind nginx, over those of one. All
// processes share one machine here, so each replica gets a share of one core, as a machine of its own has only its own
// cores, and the database, nginx and the load have the rest. Needs root on Linux, and `nginx`, which nothing installs.
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBalancer } from './cluster/balancer.ts'
import { giveAccounts } from './support/accounts.ts'
import { rounds, seconds } from './support/compare.ts'
import { type BenchDatabase, benchDatabase, fill } from './support/database.ts'
import { endServers, freePort, type Load, load, median, requests } from './support/load.ts'
import { get, type Portal, signIn, startPortal } from './support/portal.ts'

const list = '/api/v1/projects?include=panels&page%5Bsize%5D=25'
const email = 'client1@bench.test'
const replicas = 3
/** The share of one core that a replica gets: three of them leave more than half of two cores. */
const share = Number(process.env.SHARE ?? 0.2)
const connections = 24
const leastRatio = 2.2

const periodUs = 20_000
const first = '/sys/fs/cgroup/cpu'
const isFirst = fs.existsSync(`${first}/cpu.cfs_quota_us`) || fs.existsSync(`${first}/cpu.shares`)
const groups = isFirst ? first : '/sys/fs/cgroup'

/** A group of processes that the kernel gives no more than a share of one core; returns its folder. */
function confine(name: string, pid: number): string {
  const folder = path.join(groups, `portico-${process.pid}-${name}`)
  fs.mkdirSync(folder)
  const quota = String(Math.round(share * periodUs))
  if (isFirst) {
    fs.writeFileSync(`${folder}/cpu.cfs_period_us`, String(periodUs))
    fs.writeFileSync(`${folder}/cpu.cfs_quota_us`, quota)
  } else fs.writeFileSync(`${folder}/cpu.max`, `${quota} ${periodUs}`)
  fs.writeFileSync(`${folder}/cgroup.procs`, String(pid))
  return folder
}

/** In how many periods a group had to wait, and in how many it ran. */
function waited(folder: string): readonly [number, number] {
  const stat = fs.readFileSync(`${folder}/cpu.stat`, 'utf8')
  const of = (word: string) => Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(stat)?.[1])
  return [of('nr_throttled'), of('nr_periods')]
}

async function removeGroups(folders: readonly string[]): Promise<void> {
  // The kernel keeps a group until the last of its processes is gone.
  for (const folder of folders)
    for (let attempt = 1; fs.existsSync(folder); attempt++)
      try {
        fs.rmdirSync(folder)
      } catch (error) {
        if (attempt > 50) throw error
        await sleep(100)
      }
}

const shown = ({ rps, p50, p99 }: Load) => `${rps.toFixed(0)} requests/s (p50 ${p50} ms, p99 ${p99} ms)`

/** One and three in turns, so that other work on the machine affects both; returns the median of the ratios. */
async function inTurns(
  one: string,
  three: string,
  token: string,
  folders: readonly string[],
): Promise<number> {
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [alone, together] = [
      await load(one + list, token, connections, seconds),
      await load(three + list, token, connections, seconds),
    ]
    if (alone.failed + together.failed > 0) throw new Error('Requests failed.')
    ratios.push(together.rps / alone.rps)
    console.log(`  one: ${shown(alone)}; ${replicas}: ${shown(together)}`)
  }
  const [held, periods] = folders.map(waited).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0])
  console.log(
    `  the replicas waited for their share in ${((100 * held) / periods).toFixed(0)} % of the time they ran`,
  )
  console.log(`  of rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`)
  return median(ratios)
}

type Started = { readonly folders: string[]; readonly processes: ChildProcess[] }

async function measure({ connection }: BenchDatabase, { folders, processes }: Started): Promise<boolean> {
  await fill(connection, 1000)
  await giveAccounts(connection, [email])
  const ports = await Promise.all(Array.from({ length: replicas }, freePort))
  const variables = { PUBLIC_URL: `http://127.0.0.1:${ports[0]}` }
  const portals: Portal[] = []
  // One after the other: the first one prepares the database.
  for (const port of ports) {
    const portal = await startPortal(connection, variables, { port })
    portals.push(portal)
    processes.push(portal.process)
  }
  const balancers = [
    await startBalancer(await freePort(), ports.slice(0, 1)),
    await startBalancer(await freePort(), ports),
  ] as const
  processes.push(...balancers.map((balancer) => balancer.process))
  const [one, three] = balancers.map(({ url }) => url)
  if (one === undefined || three === undefined || !portals[0]) throw new Error('Nothing runs.')
  const token = await signIn(portals[0], email)
  // Until the code is compiled, requests cost several times as much.
  for (const { url } of portals) await requests(url + list, token, 1500)
  await get(three + list, token)
  for (const [at, { process: server }] of portals.entries())
    if (server.pid !== undefined) folders.push(confine(String(at), server.pid))
  console.log(
    `GET ${list}, ${connections} connections, ${share} of a core for each replica; load average ${os.loadavg()[0]?.toFixed(1)}`,
  )
  const ratio = await inTurns(one, three, token, folders)
  console.log(`  ${replicas} over one: ${ratio.toFixed(2)}, the aim is ${leastRatio}`)
  for (const { folder } of balancers) fs.rmSync(folder, { recursive: true, force: true })
  return ratio >= leastRatio
}

const database = await benchDatabase()
const started: Started = { folders: [], processes: [] }
let isGood = false
try {
  isGood = await measure(database, started)
} finally {
  await endServers(...started.processes)
  await database.stop()
  await removeGroups(started.folders)
}
process.exit(isGood ? 0 : 1)
