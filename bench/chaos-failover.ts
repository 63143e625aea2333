// `npm run chaos:failover -- --times N --rate N --losses postgres,node,hang,switchover`: two portals with two hosts in DATABASE_URL, on
// PostgreSQL with a synchronous standby under Patroni, configured as docs/operations/fail-over.md says. Under mixed reads and
// writes the primary is lost again and again, and returns as the standby: killed, or paused until another one leads, or handed
// over as planned. Needs Debian's postgresql, patroni and
// etcd-server, which nothing installs. Fails when a portal answers no read or no write for longer than the limit,
// when an acknowledged write is missing, or when an answer is not declared.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connectionFromUrl } from '../api/src/platform/db/connection.ts'
import { migrate } from '../api/src/platform/db/migrate.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { faultsOfBooks, lostOf } from './cluster/books.ts'
import { Cluster, forgetsSuccessors, type Loss, type Node } from './cluster/patroni.ts'
import { makePeople } from './cluster/people.ts'
import { longestSilence, Traffic } from './cluster/traffic.ts'
import { endServers, median } from './support/load.ts'
import { type Portal, startPortal } from './support/portal.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    rate: { type: 'string', default: '50' },
    losses: { type: 'string', default: 'node,postgres' },
    limit: { type: 'string', default: '25' },
    'switchover-limit': { type: 'string', default: '5' },
  },
})
const times = Number(values.times)
/** What happens to the primary: it is lost, or handed over as planned. */
type Change = Loss | 'switchover'

const limitOf = (change: Change) =>
  Number(change === 'switchover' ? values['switchover-limit'] : values.limit)
const isChange = (name: string): name is Change => ['postgres', 'node', 'hang', 'switchover'].includes(name)
const losses = values.losses.split(',').map((name) => {
  if (!isChange(name)) throw new Error(`${name} is no loss.`)
  return name
})
/** How long a round runs before the loss, and after the pair is whole again. */
const aroundMs = 5000

type Round = { readonly loss: Change; readonly seconds: number; readonly lost: number }

/** Loses the primary; resolves when the pair is whole again, with the node that leads and when it began to. */
async function lose(cluster: Cluster, primary: Node, loss: Change): Promise<{ leader: Node; at: number }> {
  if (loss === 'switchover') {
    const leader = await cluster.switchOver(primary)
    const at = performance.now()
    await cluster.whole()
    return { leader, at }
  }
  await primary.lose(loss)
  if (loss === 'postgres') return { leader: await cluster.whole(), at: Number.NaN }
  const leader = await cluster.successorOf(primary)
  const at = performance.now()
  if (loss === 'hang') {
    primary.wake()
  } else {
    await primary.end()
    primary.start()
  }
  await cluster.whole()
  return { leader, at }
}

/** One round: a loss under traffic, how long nothing succeeded, and whether what was acknowledged is there. */
async function round(cluster: Cluster, traffic: Traffic, pool: Pool, loss: Change): Promise<Round> {
  await traffic.renew()
  await sleep(aroundMs)
  const primary = await cluster.whole()
  const from = performance.now()
  const since = (at: number) => ((at - from) / 1000).toFixed(1)
  const { leader, at } = await lose(cluster, primary, loss)
  const whole = performance.now()
  await sleep(aroundMs)
  const silence = longestSilence(traffic.attempts, from, performance.now())
  const seconds = silence.ms / 1000
  const lost = (await lostOf(pool, [...traffic.acknowledged])).length
  const led = Number.isNaN(at) ? '' : ` after ${since(at)} s`
  console.log(
    `  ${loss} of db${primary.n}: ${seconds.toFixed(1)} s without success (${silence.of}: ${silence.answers}), db${leader.n} leads${led}, a pair again after ${since(whole)} s, ${lost} acknowledged writes lost`,
  )
  return { loss, seconds, lost }
}

function report(rounds: readonly Round[], traffic: Traffic, faults: readonly string[]): void {
  for (const [loss, of] of Map.groupBy(rounds, (one) => one.loss)) {
    const seconds = of.map((one) => one.seconds)
    console.log(
      `${of.length} x ${loss}: ${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s without success, median ${median(seconds).toFixed(1)}`,
    )
  }
  const { attempts, acknowledged } = traffic
  const counted = [...Map.groupBy(attempts, ({ status }) => status)]
    .sort(([a], [b]) => a - b)
    .map(([status, of]) => `${of.length} x ${status}`)
  console.log(
    `${attempts.length} requests: ${counted.join(', ')}; ${acknowledged.length} writes acknowledged, ${acknowledged.filter(({ kind }) => kind === 'deposit').length} of them deposits`,
  )
  const late = rounds.filter(({ loss, seconds }) => seconds > limitOf(loss))
  const wrong = [
    ...late.map(({ loss, seconds }) => `${loss}: ${seconds.toFixed(1)} s, the limit is ${limitOf(loss)} s`),
    ...rounds.filter(({ lost }) => lost > 0).map(({ loss, lost }) => `${loss}: ${lost} writes lost`),
    ...[...traffic.faults].map(([what, many]) => `${many} x ${what}`),
    ...faults,
  ]
  for (const line of wrong) console.log(`NOT so: ${line}`)
  if (wrong.length > 0) process.exitCode = 1
  else console.log('Every acknowledged write is there once, and the ledger has 0 differences.')
}

if (losses.includes('hang') && forgetsSuccessors())
  console.log('Patroni is older than 3.1.0, so a hang may leave no pair: see docs/operations/fail-over.md.')
const cluster = new Cluster()
const portals: Portal[] = []
try {
  await cluster.start()
  const connection = connectionFromUrl(cluster.url)
  await migrate(connection)
  await installJobs(connection)
  const people = await makePeople(connection)
  const variables = { PUBLIC_URL: 'http://portal.test', ALLOW_SANDBOX_PAYMENTS: '1', LOG_LEVEL: 'error' }
  for (let n = 0; n < 2; n++)
    portals.push(await startPortal({ ...connection, connectionString: cluster.url }, variables))
  const urls = portals.map(({ url }) => url)
  const traffic = await Traffic.open(urls, people)
  const pool = new Pool(connection, 1, () => undefined)
  traffic.start(Number(values.rate))
  const rounds: Round[] = []
  for (let n = 0; n < times; n++)
    rounds.push(await round(cluster, traffic, pool, losses[n % losses.length] ?? 'node'))
  const left = await traffic.drain()
  const faults = await faultsOfBooks(pool, people, traffic.acknowledged)
  report(rounds, traffic, left > 0 ? [`${left} writes were never acknowledged`, ...faults] : faults)
  if (process.exitCode) console.log(`The logs are in ${cluster.keep()}.`)
  await pool.close()
} finally {
  await endServers(...portals.map(({ process: child }) => child))
  await cluster.stop()
}
process.exit()
