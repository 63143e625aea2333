// `npm run soak -- --minutes N --rate N`: one portal under a constant mix of reads and writes, for hours. Every minute it
// prints the portal's memory, open files and database connections. Fails when one of them grows: when the median of the
// last quarter is more than a tenth above that of the second one. Fails also when an answer is not declared or an
// acknowledged write is missing.
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { Pool } from '../api/src/platform/db/pool.ts'
import { faultsOfBooks } from './cluster/books.ts'
import { makePeople } from './cluster/people.ts'
import { Traffic } from './cluster/traffic.ts'
import { type BenchDatabase, emptyDatabase } from './support/database.ts'
import { endServers, median } from './support/load.ts'
import { startPortal } from './support/portal.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '120' }, rate: { type: 'string', default: '20' } },
})
const minutes = Number(values.minutes)
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

async function main(database: BenchDatabase): Promise<void> {
  if (minutes < 8) throw new Error('A soak takes eight minutes at least: it compares its quarters.')
  const portal = await startPortal(database.connection, { ALLOW_SANDBOX_PAYMENTS: '1', LOG_LEVEL: 'error' })
  const people = await makePeople(database.connection)
  const pool = new Pool(database.connection, 1, () => undefined)
  const traffic = await Traffic.open([portal.url], people)
  traffic.start(Number(values.rate))
  const samples: Held[] = []
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(60_000)
    await traffic.renew()
    const held = await look(portal.process.pid, pool)
    samples.push(held)
    console.log(
      `  minute ${minute}: ${held.memory.toFixed(0)} MiB, ${held.files} files, ${held.connections} connections, ${traffic.attempts.length} requests`,
    )
  }
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
