// What the API costs over a bare server that does the same work: requests per second and the 99th percentile of the list
// that the dashboard reads, and of a reference list. Ratios of one run on one machine; rounds alternate between the two.
import { isDeepStrictEqual } from 'node:util'
import { Pool } from '../api/src/db/pool.ts'
import { createAccount } from '../api/src/identity/accounts.ts'
import { hashPassword } from '../api/src/identity/crypto.ts'
import { keyRing } from '../api/src/identity/keys.ts'
import { type BenchDatabase, benchDatabase, fill } from './support/database.ts'
import { freePort, type Load, load, median, serverProcess } from './support/load.ts'
import {
  type Portal,
  password,
  peakMemory,
  signIn,
  startPortal,
  tokenSecret,
  urlOf,
} from './support/portal.ts'

const rounds = Number(process.env.ROUNDS ?? 5)
const seconds = Number(process.env.SECONDS ?? 5)
const connections = 32
const many = Number(process.env.PROJECTS ?? 1_000_000)

const list = '/api/v1/projects?include=panels&page%5Bsize%5D=25'
const countries = '/api/v1/countries?page%5Bsize%5D=100'
const email = 'client1@bench.test'

/** Lets the first client of the filled database sign in. */
async function giveAccount(database: BenchDatabase): Promise<void> {
  const pool = new Pool(database.connection, 1, () => undefined)
  try {
    const id = await createAccount(pool.kysely, {
      email,
      passwordHash: await hashPassword(password),
      verifiedAt: new Date(),
    })
    await pool.kysely.updateTable('clients').set({ auth_id: id }).where('email', '=', email).execute()
  } finally {
    await pool.close()
  }
}

async function get(url: string, token: string): Promise<string> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.text()
}

function documentOf(text: string): unknown {
  const document: { included: { id: string }[] } = JSON.parse(text)
  document.included.sort((a, b) => Number(a.id) - Number(b.id))
  return document
}

async function startLimit(database: BenchDatabase, countriesBody: string): Promise<string> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PORT: String(port),
    BENCH_DATABASE: urlOf(database.connection),
    BENCH_TOKEN_KEY: keyRing(tokenSecret)[0].accessToken.export().toString('base64url'),
    BENCH_CLIENT: '1',
    BENCH_COUNTRIES: Buffer.from(countriesBody).toString('base64'),
  }
  const child = await serverProcess('servers/limit.ts', env, url)
  process.once('exit', () => child.kill())
  return url
}

function row(name: string, loads: readonly Load[]): void {
  const of = (pick: (one: Load) => number) => median(loads.map(pick))
  const failed = loads.reduce((sum, one) => sum + one.failed, 0)
  console.log(
    `  ${name.padEnd(8)} ${of(({ rps }) => rps)
      .toFixed(0)
      .padStart(
        6,
      )} requests/s   p50 ${of(({ p50 }) => p50)} ms   p99 ${of(({ p99 }) => p99)} ms   failed ${failed}`,
  )
}

/** Alternates between two servers, so that what else the machine does falls on both. */
async function compare(
  title: string,
  address: string,
  token: string,
  ours: string,
  theirs: string,
  names: [string, string],
) {
  const results: [Load[], Load[]] = [[], []]
  for (const base of [ours, theirs]) await load(`${base}${address}`, token, connections, 1)
  for (let round = 0; round < rounds; round++) {
    results[0].push(await load(`${ours}${address}`, token, connections, seconds))
    results[1].push(await load(`${theirs}${address}`, token, connections, seconds))
  }
  console.log(title)
  row(names[0], results[0])
  row(names[1], results[1])
  const ratios = results[0].map((one, at) => one.rps / (results[1][at]?.rps ?? Number.NaN))
  const tails = results[0].map((one, at) => one.p99 / (results[1][at]?.p99 ?? Number.NaN))
  console.log(
    `  ratio of requests/s ${median(ratios).toFixed(2)} (of rounds: ${ratios.map((one) => one.toFixed(2)).join(' ')}); of p99 ${median(tails).toFixed(2)}\n`,
  )
}

async function againstLimit(database: BenchDatabase, portal: Portal, token: string): Promise<void> {
  const reference = await get(`${portal.url}${countries}`, token)
  const limit = await startLimit(database, reference)
  const same = isDeepStrictEqual(
    documentOf(await get(`${portal.url}${list}`, token)),
    documentOf(await get(`${limit}${list}`, token)),
  )
  if (!same) throw new Error('The two servers do not answer the same document.')
  const bytes = (await get(`${portal.url}${list}`, token)).length
  await compare(`GET ${list} (${bytes} bytes), ${connections} connections`, list, token, portal.url, limit, [
    'portal',
    'limit',
  ])
  console.log(`  peak memory of the portal ${peakMemory(portal.process).toFixed(0)} MiB\n`)
  await compare(`GET ${countries} (${reference.length} bytes)`, countries, token, portal.url, limit, [
    'portal',
    'limit',
  ])
}

async function main(): Promise<void> {
  const small = await benchDatabase()
  const large = await benchDatabase()
  try {
    await fill(small.connection, 1000)
    await giveAccount(small)
    const portal = await startPortal(small.connection)
    const token = await signIn(portal, email)
    await againstLimit(small, portal, token)

    await fill(large.connection, many)
    await giveAccount(large)
    const larger = await startPortal(large.connection)
    const largerToken = await signIn(larger, email)
    if (largerToken === token) throw new Error('Two sign-ins gave one token.')
    await growth(portal, token, larger, largerToken)
    for (const { process: child } of [portal, larger]) child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 1000))
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
