// Measures signing in and its effect on other requests: sign-ins per second; the browser app's first call
// compared with a bare server that does the same work; and the 99th percentile of that call while people sign
// in.
import { isDeepStrictEqual } from 'node:util'
import { giveAccounts } from './support/accounts.ts'
import { compare, rounds, row, seconds } from './support/compare.ts'
import { type BenchDatabase, benchDatabase, fill } from './support/database.ts'
import { startLimit } from './support/limit.ts'
import { endServers, type Load, load, median } from './support/load.ts'
import { get, type Portal, signIn, startPortal } from './support/portal.ts'

const person = '/api/user'
const connections = 32
// The clients that `fill` creates; each signs in in turn.
const emails = Array.from({ length: 25 }, (_, at) => `client${at + 1}@bench.test`)

/**
 * Signs people in with `workers` at once, and measures both requests of each, from e-mail and password to
 * token.
 */
async function signInSteadily(portal: Portal, workers: number): Promise<Load> {
  const until = performance.now() + seconds * 1000
  const spent: number[] = []
  let next = 0
  let failed = 0
  const work = async () => {
    while (performance.now() < until) {
      const begun = performance.now()
      const done = await signIn(portal, emails[next++ % emails.length] ?? '').catch(() => undefined)
      if (done === undefined) failed++
      else spent.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  spent.sort((a, b) => a - b)
  const at = (share: number) => Math.round(spent[Math.floor(spent.length * share)] ?? Number.NaN)
  return { rps: spent.length / seconds, p50: at(0.5), p99: at(0.99), failed }
}

async function signIns(portal: Portal): Promise<void> {
  const results: Load[] = []
  await signInSteadily(portal, 4)
  for (let round = 0; round < rounds; round++) results.push(await signInSteadily(portal, 4))
  console.log('Signing in, password to token (two requests), 4 at a time')
  row('portal', results)
  console.log('')
}

async function againstLimit(database: BenchDatabase, portal: Portal, token: string): Promise<void> {
  const user = await get(`${portal.url}${person}`, token)
  const limit = await startLimit(database.connection, { user })
  const theirs = await get(`${limit.url}${person}`, token)
  if (!isDeepStrictEqual(JSON.parse(user), JSON.parse(theirs)))
    throw new Error(`The two servers do not answer the same person: ${user} and ${theirs}`)
  const title = `GET ${person} (${user.length} bytes), ${connections} connections`
  await compare(title, person, token, connections, { portal: portal.url, limit: limit.url })
}

/**
 * Starts a sign-in at a fixed interval, whether or not earlier ones have finished; returns a function that
 * stops it.
 */
function storm(portal: Portal, perSecond: number): () => Promise<number> {
  const running = new Set<Promise<void>>()
  let begun = 0
  let failed = 0
  const timer = setInterval(() => {
    const one = signIn(portal, emails[begun++ % emails.length] ?? '').then(
      () => undefined,
      () => void failed++,
    )
    running.add(one)
    void one.then(() => running.delete(one))
  }, 1000 / perSecond)
  return async () => {
    clearInterval(timer)
    await Promise.all(running)
    return failed
  }
}

/** The same call at a steady 200 a second: without sign-ins, and with twenty a second. */
async function underStorm(portal: Portal, token: string): Promise<void> {
  const quiet: Load[] = []
  const stormy: Load[] = []
  let failed = 0
  const steady = () => load(`${portal.url}${person}`, token, 16, seconds, 200)
  await steady()
  for (let round = 0; round < rounds; round++) {
    quiet.push(await steady())
    const stop = storm(portal, 20)
    stormy.push(await steady())
    failed += await stop()
  }
  console.log(`GET ${person} at 200 requests/s, without and with 20 sign-ins/s (${failed} of which failed)`)
  row('quiet', quiet)
  row('storm', stormy)
  const p99 = (loads: readonly Load[]) => median(loads.map((one) => one.p99))
  const ratios = stormy.map((one, at) => one.p99 / (quiet[at]?.p99 ?? Number.NaN))
  console.log(
    `  p99 quiet ${p99(quiet)} ms, storm ${p99(stormy)} ms, ratio ${median(ratios).toFixed(2)} (of rounds: ${ratios.map((one) => one.toFixed(2)).join(' ')})`,
  )
}

async function main(): Promise<void> {
  const database = await benchDatabase()
  try {
    await fill(database.connection, 1000)
    await giveAccounts(database.connection, emails)
    const portal = await startPortal(database.connection)
    const token = await signIn(portal, emails[0] ?? '')
    await signIns(portal)
    await againstLimit(database, portal, token)
    await underStorm(portal, token)
    await endServers(portal.process)
  } finally {
    await database.stop()
  }
}

await main()
process.exit(0)
