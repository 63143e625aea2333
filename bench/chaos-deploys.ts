// `npm run chaos:deploys -- --times N --rate N --requests N`: rolling deploys under load. Two replicas behind nginx, with the
// configuration of deploy/nginx, are replaced one after the other by the next release, whose first replica
// migrates the database while the other one still is of the release before. The releases are the last commits
// of this repository that add migrations. Needs nginx, which nothing installs. Fails when a request of a deploy is
// answered with 5xx, not at all or wrongly, or when an acknowledged write is missing.
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Pool } from '../api/src/platform/db/pool.ts'
import { complaintsOf, startBalancer } from './cluster/balancer.ts'
import { faultsOfBooks } from './cluster/books.ts'
import { makePeople } from './cluster/people.ts'
import { addedBy, lastReleases, nameOf, type Release } from './cluster/releases.ts'
import { type Attempt, Traffic } from './cluster/traffic.ts'
import { type BenchDatabase, emptyDatabase } from './support/database.ts'
import { endServers, freePort } from './support/load.ts'
import { type Portal, startPortal } from './support/portal.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    rate: { type: 'string', default: '50' },
    requests: { type: 'string', default: '1000' },
  },
})

/** The time before each deploy, in which the replicas that started last compile what they run. */
const betweenMs = 5000

/** Two replicas on ports of their own, each of which is replaced in its place. */
class Replicas {
  readonly ports: readonly number[]
  readonly #database: BenchDatabase
  readonly #variables: Readonly<Record<string, string>>
  readonly #portals: Portal[] = []

  constructor(database: BenchDatabase, ports: readonly number[], publicUrl: string) {
    this.#database = database
    this.ports = ports
    this.#variables = {
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: '127.0.0.1',
      ALLOW_SANDBOX_PAYMENTS: '1',
      LOG_LEVEL: 'error',
    }
  }

  /** Replaces the replicas one by one; the next one only when the new one is ready. */
  async deploy({ checkout }: Release): Promise<void> {
    for (const [index, port] of this.ports.entries()) {
      const before = this.#portals[index]
      if (before) await endServers(before.process)
      const { connection } = this.#database
      this.#portals[index] = await startPortal(connection, this.#variables, { port, checkout })
    }
  }

  async stop(): Promise<void> {
    await endServers(...this.#portals.map(({ process: child }) => child))
  }
}

const counted = (attempts: readonly Attempt[]) =>
  [...Map.groupBy(attempts, ({ status }) => status)]
    .sort(([a], [b]) => a - b)
    .map(([status, of]) => `${of.length} x ${status}`)
    .join(', ')

/** Deploys a release under the traffic; resolves with how many requests failed. */
async function deployUnder(traffic: Traffic, replicas: Replicas, release: Release): Promise<number> {
  const first = traffic.attempts.length
  const begun = performance.now()
  await replicas.deploy(release)
  const took = (performance.now() - begun) / 1000
  while (traffic.attempts.length - first < Number(values.requests)) await sleep(50)
  const attempts = traffic.attempts.slice(first)
  const failed = attempts.filter(({ status }) => status === 0 || status >= 500).length
  const slowest = Math.max(...attempts.map((one) => one.took))
  console.log(
    `  ${nameOf(release)}: replaced in ${took.toFixed(0)} s, ${attempts.length} requests: ${counted(attempts)}; slowest ${slowest.toFixed(0)} ms`,
  )
  return failed
}

async function main(database: BenchDatabase): Promise<void> {
  const releases = lastReleases(Number(values.times) + 1, database.dataDir)
  const [port = 0, ...ports] = [await freePort(), await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const replicas = new Replicas(database, ports, url)
  const [oldest, ...later] = releases
  if (oldest === undefined) return
  await replicas.deploy(oldest)
  const people = await makePeople(database.connection)
  const balancer = await startBalancer(port, ports)
  const traffic = await Traffic.open([url], people)
  traffic.start(Number(values.rate))
  let failed = 0
  for (const [index, release] of later.entries()) {
    await traffic.renew()
    await sleep(betweenMs)
    const before = releases[index] ?? oldest
    console.log(`${nameOf(before)} to ${nameOf(release)}: ${addedBy(release, before).join(', ')}`)
    failed += await deployUnder(traffic, replicas, release)
  }
  const left = await traffic.drain()
  const pool = new Pool(database.connection, 1, () => undefined)
  const wrong = [
    ...(failed > 0 ? [`${failed} requests failed while the replicas were replaced`] : []),
    ...(left > 0 ? [`${left} writes were never acknowledged`] : []),
    ...[...traffic.faults].map(([what, many]) => `${many} x ${what}`),
    ...(await faultsOfBooks(pool, people, traffic.acknowledged)),
  ]
  await pool.close()
  await replicas.stop()
  await endServers(balancer.process)
  for (const line of complaintsOf(balancer)) console.log(`nginx: ${line}`)
  fs.rmSync(balancer.folder, { recursive: true, force: true })
  console.log(
    `${later.length} deploys, ${traffic.attempts.length} requests: ${counted(traffic.attempts)}; ${traffic.acknowledged.length} writes acknowledged`,
  )
  for (const line of wrong) console.log(`NOT so: ${line}`)
  if (wrong.length > 0) process.exitCode = 1
  else
    console.log(
      'No request of a deploy failed, every acknowledged write is there once, the ledger has 0 differences.',
    )
}

const database = await emptyDatabase()
try {
  await main(database)
} finally {
  await database.stop()
}
process.exit()
