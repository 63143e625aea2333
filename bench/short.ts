// The short form of `bench`, part of every `.ci/run`: the processor time of the bare server for a request,
// divided by the portal's for the same. Both run at the same time, so that other load affects both alike, and
// processor time is measured instead of waiting. Fails when a ratio is more than a fifth below the recorded
// one.
import { giveAccounts } from './support/accounts.ts'
import { benchDatabase, fill } from './support/database.ts'
import { sameAnswer, startLimit } from './support/limit.ts'
import { endServers, median, requests } from './support/load.ts'
import { cpuSeconds, get, type Running, signIn, startPortal } from './support/portal.ts'

const list = '/api/v1/projects?include=panels&page%5Bsize%5D=25'
const lookup = '/api/v1/countries?page%5Bsize%5D=100'

/** The recorded ratios, to be raised when the portal becomes faster, and the requests of one round. */
const recorded = [
  { address: list, before: 0.54, many: 100 },
  { address: lookup, before: 0.7, many: 6000 },
]
const mostLost = 0.2
// Other load may disturb a round, so a ratio that fell is measured again before it counts.
const mostTimes = 3
const rounds = 5
const email = 'client1@bench.test'

type Asked = { readonly address: string; readonly token: string; readonly many: number }

/** Microseconds of processor time for each of many requests. */
async function costOf(server: Running, { address, token, many }: Asked): Promise<number> {
  const before = cpuSeconds(server.process)
  const failed = await requests(`${server.url}${address}`, token, many)
  if (failed > 0) throw new Error(`${failed} requests of ${address} failed.`)
  return ((cpuSeconds(server.process) - before) / many) * 1e6
}

async function ratioOf(portal: Running, limit: Running, asked: Asked): Promise<number> {
  const both = () => Promise.all([costOf(portal, asked), costOf(limit, asked)])
  // Until the code is compiled, requests cost several times as much.
  for (let round = 0; round < 2; round++) await both()
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [ours, theirs] = await both()
    console.log(`  portal ${ours.toFixed(0)} µs, bare server ${theirs.toFixed(0)} µs`)
    ratios.push(theirs / ours)
  }
  return median(ratios)
}

async function main(): Promise<void> {
  const database = await benchDatabase()
  try {
    await fill(database.connection, 1000)
    await giveAccounts(database.connection, [email])
    const portal = await startPortal(database.connection)
    const token = await signIn(portal, email)
    const limit = await startLimit(database.connection, {
      countries: await get(`${portal.url}${lookup}`, token),
    })
    await sameAnswer(portal, limit, list, token)
    for (const { address, before, many } of recorded) {
      console.log(`GET ${address}`)
      const least = before * (1 - mostLost)
      let ratio = 0
      for (let time = 0; time < mostTimes && ratio < least; time++)
        ratio = Math.max(ratio, await ratioOf(portal, limit, { address, token, many }))
      const fell = ratio < least
      console.log(`  ratio ${ratio.toFixed(2)}, recorded ${before.toFixed(2)}${fell ? ': FELL' : ''}`)
      if (fell) process.exitCode = 1
    }
    await endServers(portal.process, limit.process)
  } finally {
    await database.stop()
  }
}

await main()
process.exit()
