// `npm run chaos:plans -- --seed N --months N --kills N`: a long version of the test of plan fees. Random
// months of plans by the product's own functions, while the processes that ingest and rate, and the database,
// are killed again and again. Everything follows from the seed, which is printed.
import { parseArgs } from 'node:util'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { chargeDueDays } from '../api/src/usage/charging.ts'
import { Fire } from '../api/test/support/charge-fire.ts'
import { countedHours, differences, live, wrongQuotes } from '../api/test/support/plan-months.ts'
import { makeWorld } from '../api/test/support/plan-world.ts'
import { usageFaults } from '../api/test/support/usage-invariants.ts'
import { seeded } from '../api/test/support/usage-workload.ts'
import { benchDatabase } from './support/database.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    months: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '40' },
  },
})
const seed = Number(values.seed)
const kills = Number(values.kills)
const worlds = 4
const random = seeded(seed)
const begun = performance.now()

function check(faults: readonly string[], what: string): void {
  if (faults.length === 0) return
  console.log(`${what}, seed ${seed}:\n  ${faults.slice(0, 20).join('\n  ')}`)
  process.exit(1)
}

/** Retries while the database restarts. */
async function through<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries > 300) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** The spring months of a year, with kills in between. */
async function spring(
  year: number,
): Promise<{ quotes: number; hours: number; kills: number; crashes: number }> {
  const database = await benchDatabase()
  const pool = new Pool(database.connection, 4, () => undefined)
  await installJobs(database.connection)
  const world = await makeWorld(pool, year, Math.ceil(Number(values.months) / worlds))
  const fire = new Fire(database.connection, 200, 'serve-plans.ts')
  await fire.start(2)
  let crashes = 0
  let living = true
  const quotes = live(pool, world, { often: 0.02, seed, through }).finally(() => {
    living = false
  })
  while (living && fire.kills < Math.ceil(kills / worlds)) {
    await fire.kill(1500 * random())
    if (fire.kills % 5 !== 3) continue
    const pid = database.postmaster()
    if (pid !== undefined) process.kill(pid, 'SIGQUIT')
    crashes += 1
  }
  const quoted = await quotes
  await fire.end()
  check(await through(() => differences(pool.kysely, world)), 'What is charged and the loop by hour differ')
  check(wrongQuotes(world, quoted), 'Quotes and charges differ')
  for (let more = true; more; )
    more = (await through(() => chargeDueDays(pool.kysely, async () => undefined))).unfinished
  check(await through(() => usageFaults(pool.kysely)), 'The books')
  const hours = await countedHours(pool.kysely)
  await pool.close()
  await database.stop()
  return { quotes: quoted.length, hours, kills: fire.kills, crashes }
}

console.log(`seed ${seed}`)
const sum = { quotes: 0, hours: 0, kills: 0, crashes: 0 }
for (let n = 0; n < worlds; n++) {
  // Four years, one of them with a 29 February.
  const done = await spring(seed - (seed % worlds) + n)
  sum.quotes += done.quotes
  sum.hours += done.hours
  sum.kills += done.kills
  sum.crashes += done.crashes
}
console.log(
  `${values.months} panels of random months, ${sum.hours} hours, ${sum.quotes} quotes; ${sum.kills} processes killed, the database ended ${sum.crashes} times: 0 differences, ${((performance.now() - begun) / 1000).toFixed(0)} s`,
)
process.exit(0)
