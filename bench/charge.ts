// What charging a day costs: clients a second, and whether a client costs the same among a hundred times as many.
import { withClient } from '../api/src/db/client.ts'
import { Pool } from '../api/src/db/pool.ts'
import { chargeDay } from '../api/src/services/usage-charging.ts'
import { dueCount, fillDue } from '../api/test/support/charge-fire.ts'
import { rounds } from './support/compare.ts'
import { type BenchDatabase, benchDatabase } from './support/database.ts'
import { median } from './support/load.ts'

const few = Number(process.env.FEW ?? 1000)
const many = Number(process.env.MANY ?? 100_000)
const flat = 0.2

type Side = {
  readonly clients: number
  readonly database: BenchDatabase
  readonly pool: Pool
  readonly days: string[]
}

/** So many clients with a day of use for each round, four lines each, rated. */
async function start(clients: number): Promise<Side> {
  const database = await benchDatabase()
  const pool = new Pool(database.connection, 2, () => undefined)
  const days = Array.from({ length: rounds + 1 }, (_, i) => `2026-02-${String(i + 1).padStart(2, '0')}`)
  await fillDue(pool, { clients, days, seed: 7 })
  await withClient(database.connection, (client) => client.query('vacuum analyze'))
  return { clients, database, pool, days }
}

/** Microseconds for a client when a day of all of them is charged. */
async function chargeOne({ clients, pool, database }: Side, day: string): Promise<number> {
  await withClient(database.connection, (client) => client.query('checkpoint'))
  const begun = performance.now()
  const { charged } = await chargeDay(pool.kysely, { day, everyone: true }, async () => undefined)
  if (charged !== clients) throw new Error(`${charged} of ${clients} were charged`)
  return ((performance.now() - begun) * 1000) / clients
}

const sides = [await start(few), await start(many)] as const
const costs: [number[], number[]] = [[], []]
for (let round = 0; round <= rounds; round++)
  for (const [at, side] of sides.entries()) {
    const cost = await chargeOne(side, side.days[round] ?? '')
    // The first round warms both.
    if (round > 0) costs[at]?.push(cost)
  }
for (const [at, { clients, pool }] of sides.entries()) {
  const cost = median(costs[at] ?? [])
  console.log(
    `${String(clients).padStart(7)} clients: ${(1_000_000 / cost).toFixed(0)} clients/s, ${cost.toFixed(0)} µs each; ${await dueCount(pool)} left`,
  )
}
const ratio = median(costs[1]) / median(costs[0])
console.log(`ratio of the cost of one ${ratio.toFixed(2)}, at most ${flat} away from 1`)
for (const { pool, database } of sides) {
  await pool.close()
  await database.stop()
}
process.exit(Math.abs(ratio - 1) <= flat || ratio < 1 ? 0 : 1)
