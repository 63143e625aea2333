// `npm run soak -- --minutes N --rate N`: one portal under a constant mix of reads and writes, for hours. Every 15 seconds it
// looks at the portal's memory, open files and database connections, and prints them every minute. Fails when one of them
// grows: when the median of the last quarter is more than a tenth above that of the second one. Fails also when an answer
// is not declared, an acknowledged write is missing, the ledger has differences, or `npm run verify` finds something.
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { Pool } from '../api/src/platform/db/pool.ts'
import { faultsOfBooks } from './cluster/books.ts'
import { makePeople } from './cluster/people.ts'
import { Traffic } from './cluster/traffic.ts'
import { verifyAll } from './cluster/verify.ts'
import { type BenchDatabase, emptyDatabase } from './support/database.ts'
import { endServers, median } from './support/load.ts'
import { startPortal } from './support/portal.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '120' }, rate: { type: 'string', default: '20' } },
})
const minutes = Number(values.minutes)
/** With fewer looks a quarter would have no median worth its name. */
const fewestMinutes = 4
const looksInMinute = 4
/** What a figure may grow by, as a share of what it was. */
const most = 0.1

/** What a portal holds at one moment. */
type Held = { readonly memory: number; readonly files: number; readonly connections: number }

/** The memory of a process that no other one shares, in MiB. */
function memoryOf(pid: number | undefined): number {
  const rollup = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kib = [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
  return kib / 1024
}

async function look(pid: number | undefined, pool: Pool): Promise<Held> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(pool.kysely)
  return {
    memory: memoryOf(pid),
    files: fs.readdirSync(`/proc/${pid}/fd`).length,
    connections: rows[0]?.n ?? 0,
  }
}

const names = ['memory', 'files', 'connections'] as const

/** A line for each figure: its medians in the second and the last quarter, and whether it grew. */
function growthOf(samples: readonly Held[]): { readonly line: string; readonly grew: boolean }[] {
  const quarter = Math.floor(samples.length / 4)
  return names.map((name) => {
    const of = (from: number) => median(samples.slice(from, from + quarter).map((held) => held[name]))
    const [before, after] = [of(quarter), of(samples.length - quarter)]
    const grew = after > before * (1 + most)
    return { line: `${name}: ${before.toFixed(0)}, then ${after.toFixed(0)}`, grew }
  })
}

/** Looks at what the portal holds, for all the minutes; returns every look. */
async function watch(pid: number | undefined, pool: Pool, traffic: Traffic): Promise<Held[]> {
  const samples: Held[] = []
  for (let n = 1; n <= minutes * looksInMinute; n++) {
    await sleep(60_000 / looksInMinute)
    await traffic.renew()
    const held = await look(pid, pool)
    samples.push(held)
    if (n % looksInMinute === 0)
      console.log(
        `  minute ${n / looksInMinute}: ${held.memory.toFixed(0)} MiB, ${held.files} files, ${held.connections} connections, ${traffic.attempts.length} requests`,
      )
  }
  return samples
}

async function main(database: BenchDatabase): Promise<void> {
  if (!(minutes >= fewestMinutes))
    throw new Error(`A soak takes ${fewestMinutes} minutes at least: it compares its quarters.`)
  const { connection, dataDir } = database
  const variables = { ALLOW_SANDBOX_PAYMENTS: '1', LOG_LEVEL: 'error', DATA_DIR: dataDir }
  const portal = await startPortal(connection, variables)
  const people = await makePeople(connection)
  const pool = new Pool(connection, 1, () => undefined)
  const traffic = await Traffic.open([portal.url], people)
  traffic.start(Number(values.rate))
  const samples = await watch(portal.process.pid, pool, traffic)
  const left = await traffic.drain()
  const growth = growthOf(samples)
  const wrong = [
    ...growth.filter(({ grew }) => grew).map(({ line }) => `it grew: ${line}`),
    ...(left > 0 ? [`${left} writes were never acknowledged`] : []),
    ...[...traffic.faults].map(([what, many]) => `${many} x ${what}`),
    ...(await faultsOfBooks(pool, people, traffic.acknowledged)),
  ]
  await pool.close()
  await endServers(portal.process)
  const verified = await verifyAll(connection, dataDir)
  wrong.push(...verified.faults)
  console.log(verified.lines.join('; '))
  for (const { line } of growth) console.log(`medians of the second and the last quarter, ${line}`)
  console.log(`${traffic.attempts.length} requests, ${traffic.acknowledged.length} writes acknowledged`)
  for (const line of wrong) console.log(`NOT so: ${line}`)
  if (wrong.length > 0) process.exitCode = 1
  else console.log('Nothing grew, every acknowledged write is there once, the ledger has 0 differences.')
}

const database = await emptyDatabase()
try {
  await main(database)
} finally {
  await database.stop()
}
process.exit()
