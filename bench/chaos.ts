// `npm run chaos -- --seed N --steps N --kills N --events N`: a long version of the tests of usage and
// charging. Months of random usage, top-ups and charged days, with the database killed in between; charging
// processes that are killed again and again; events sent twice. Everything follows from the seed, which is
// printed.
import { parseArgs } from 'node:util'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { receiveUsage } from '../api/src/usage/ingest.ts'
import { dueCount, Fire, fillDue } from '../api/test/support/charge-fire.ts'
import { businessTime } from '../api/test/support/money.ts'
import { usageEvent } from '../api/test/support/usage.ts'
import { usageFaults } from '../api/test/support/usage-invariants.ts'
import { seeded, Workload } from '../api/test/support/usage-workload.ts'
import { type BenchDatabase, benchDatabase } from './support/database.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    steps: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '200' },
    events: { type: 'string', default: '1000000' },
  },
})
const seed = Number(values.seed)
const random = seeded(seed)

function check(faults: readonly string[], what: string): void {
  if (faults.length === 0) return
  console.log(`${what}, seed ${seed}:\n  ${faults.join('\n  ')}`)
  process.exit(1)
}

const since = (begun: number) => `${((performance.now() - begun) / 1000).toFixed(0)} s`

/** Stops PostgreSQL like `pg_ctl stop -m immediate`; its supervisor starts it again. */
function crash({ postmaster }: BenchDatabase): void {
  const pid = postmaster()
  if (pid !== undefined) process.kill(pid, 'SIGQUIT')
}

async function randomMonths(database: BenchDatabase, pool: Pool): Promise<void> {
  const begun = performance.now()
  let crashes = 0
  let looked = 0
  let days = 0
  const workload = new Workload(pool, {
    seed,
    stepsPerDay: Math.max(500, Math.round(Number(values.steps) / 100)),
    before: () => {
      if (random() > 0.004) return
      crashes += 1
      setTimeout(() => crash(database), 40 * random())
    },
  })
  await workload.prepare(20)
  await workload.run(Number(values.steps), async (step) => {
    if (++days % 10 !== 0) return
    looked += 1
    check(await usageFaults(pool.kysely), `After ${step} steps`)
    console.log(`  ${step} steps, ${since(begun)}: everything holds`)
  })
  check(await usageFaults(pool.kysely), 'At the end')
  console.log(
    `${values.steps} random steps, the database ended ${crashes} times and asked again ${workload.retried} times, looked at ${looked + 1} times: 0 faults, ${since(begun)}`,
  )
  console.log(`  what came of seed ${seed}: ${await workload.digest()}`)
}

async function killing(database: BenchDatabase, pool: Pool): Promise<void> {
  const begun = performance.now()
  const kills = Number(values.kills)
  const days = Array.from({ length: 5 }, (_, i) => `2026-01-${String(i + 10)}`)
  await fillDue(pool, { clients: 20 * kills, days, seed })
  const fire = new Fire(database.connection, 10)
  await fire.start(4)
  let crashes = 0
  while (fire.kills < kills && (await dueCount(pool)) > 0) {
    if (fire.kills % 20 === 10) {
      crash(database)
      crashes += 1
    }
    await fire.kill(200 * random())
  }
  const left = await dueCount(pool)
  while ((await dueCount(pool)) > 0) await new Promise((resolve) => setTimeout(resolve, 500))
  await fire.end()
  check(await usageFaults(pool.kysely), 'After the kills')
  console.log(
    `${100 * kills} client days charged by 4 processes, ${fire.kills} of them killed, the database ended ${crashes} times, ${left} charged after the last kill: 0 faults, ${since(begun)}`,
  )
}

async function twice(pool: Pool): Promise<void> {
  const begun = performance.now()
  const db = pool.kysely
  await businessTime(pool, '2026-06-15T12:00:00Z')
  const panels = await db
    .selectFrom('panels')
    .select(['id', 'panel_engine_id'])
    .orderBy('id')
    .limit(100)
    .execute()
  const send = async (time: string): Promise<number> => {
    let accepted = 0
    for (let at = 0; at < Number(values.events); at += 5000) {
      const events = Array.from({ length: 5000 }, (_, i) =>
        usageEvent(panels[i % panels.length]?.id ?? 0, {
          id: `twice:${at + i}`,
          data: { resource: `server/s${i % 7}`, start: '2026-06-14T01:00:00Z', end: '2026-06-14T02:00:00Z' },
        }),
      )
      const message = {
        engineId: panels[0]?.panel_engine_id ?? 0,
        id: `${time}-${at}`,
        body: Buffer.from(`${at}`),
        events,
      }
      const receipt: { accepted: number } = JSON.parse(
        await receiveUsage(db, { ...message, strict: false }, new Date()),
      )
      accepted += receipt.accepted
    }
    return accepted
  }
  const sums = [await send('first'), await send('second')]
  if (sums.join() !== `${values.events},0`) check([`accepted ${sums.join(' and ')}`], 'Events sent twice')
  check(await usageFaults(db), 'After events sent twice')
  console.log(`${values.events} events sent twice: ${sums.join(' accepted, then ')}, ${since(begun)}`)
}

console.log(`seed ${seed}`)
const database = await benchDatabase()
const pool = new Pool(database.connection, 4, () => undefined)
await installJobs(database.connection)
await randomMonths(database, pool)
await killing(database, pool)
await twice(pool)
await pool.close()
await database.stop()
process.exit(0)
