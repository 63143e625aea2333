// Compares the API with a bare server that does the same work: requests per second and the 99th percentile of
// the dashboard's list, and of a reference list. Ratios of one run on one machine; rounds alternate between
// the two.
import { giveAccounts } from './support/accounts.ts'
import { compare, rounds, row, seconds } from './support/compare.ts'
import { type BenchDatabase, benchDatabase, fill } from './support/database.ts'
import { sameAnswer, startLimit } from './support/limit.ts'
import { endServers, type Load, load, median } from './support/load.ts'
import { get, type Portal, peakMemory, resetPeak, signIn, startPortal } from './support/portal.ts'

const connections = 32
const many = Number(process.env.PROJECTS ?? 1_000_000)

const list = '/api/v1/projects?include=panels&page%5Bsize%5D=25'
const countries = '/api/v1/countries?page%5Bsize%5D=100'
const email = 'client1@bench.test'

async function againstLimit(database: BenchDatabase, portal: Portal, token: string): Promise<void> {
  const reference = await get(`${portal.url}${countries}`, token)
  const limit = await startLimit(database.connection, { countries: reference })
  await sameAnswer(portal, limit, list, token)
  const bytes = (await get(`${portal.url}${list}`, token)).length
  const servers = { portal: portal.url, limit: limit.url }
  resetPeak(portal.process)
  await compare(`GET ${list} (${bytes} bytes), ${connections} connections`, list, token, connections, servers)
  console.log(`  peak memory of the portal under that load ${peakMemory(portal.process).toFixed(0)} MiB\n`)
  await compare(`GET ${countries} (${reference.length} bytes)`, countries, token, connections, servers)
}

async function main(): Promise<void> {
  const small = await benchDatabase()
  const large = await benchDatabase()
  try {
    await fill(small.connection, 1000)
    await giveAccounts(small.connection, [email])
    const portal = await startPortal(small.connection)
    const token = await signIn(portal, email)
    await againstLimit(small, portal, token)

    await fill(large.connection, many)
    await giveAccounts(large.connection, [email])
    const larger = await startPortal(large.connection)
    const largerToken = await signIn(larger, email)
    if (largerToken === token) throw new Error('Two sign-ins gave one token.')
    await growth(portal, token, larger, largerToken)
    await endServers(portal.process, larger.process)
  } finally {
    await small.stop()
    await large.stop()
  }
}

/** The same list when there are a thousand times as many workspaces. Each portal has its own token. */
async function growth(small: Portal, smallToken: string, large: Portal, largeToken: string): Promise<void> {
  const results: [Load[], Load[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const pair = [
      await load(`${small.url}${list}`, smallToken, 8, seconds),
      await load(`${large.url}${list}`, largeToken, 8, seconds),
    ] as const
    if (round === 0) continue
    results[0].push(pair[0])
    results[1].push(pair[1])
  }
  console.log(`The list at 1000 and at ${many} workspaces, 8 connections`)
  row('1000', results[0])
  row(String(many), results[1])
  const ratios = results[1].map((one, at) => one.p99 / (results[0][at]?.p99 ?? Number.NaN))
  console.log(
    `  ratio of p99 ${median(ratios).toFixed(2)} (of rounds: ${ratios.map((one) => one.toFixed(2)).join(' ')})`,
  )
}

await main()
process.exit(0)
