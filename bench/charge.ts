// Measures charging a day: clients per second, and whether a client costs the same among a hundred times as
// many. The two alternate every second or so, so that other load affects both.
import os from 'node:os'
import { Pool } from '../api/src/platform/db/pool.ts'
import { chargeDay } from '../api/src/usage/charging.ts'
import { dueCount } from '../api/test/support/charge-fire.ts'
import { usageFaults } from '../api/test/support/usage-invariants.ts'
import { type BenchDatabase, benchDatabase } from './support/database.ts'
import { median } from './support/load.ts'
import { fillRated } from './support/usage.ts'

const few = Number(process.env.FEW ?? 1000)
const many = Number(process.env.MANY ?? 100_000)
const flat = 0.2
const perClient = 2
const sliceMs = 1500
// The warm-up rounds of both.
const warming = 2

type Side = { readonly clients: number; readonly database: BenchDatabase; readonly pool: Pool }

const dayOf = (at: number) => new Date(Date.UTC(2026, 1, 1 + at)).toISOString().slice(0, 10)

async function start(clients: number, days: number): Promise<Side> {
  const database = await benchDatabase()
  await fillRated(database.connection, { clients, days: Array.from({ length: days }, (_, i) => dayOf(i)) })
  return { clients, database, pool: new Pool(database.connection, 2, () => undefined) }
}

type Turn = { readonly charged: number; readonly ms: number; readonly more: boolean }

/** Charges a day for so long, or until all are charged. */
async function turn({ pool }: Side, day: string, ms: number): Promise<Turn> {
  const begun = performance.now()
  const { charged, unfinished } = await chargeDay(
    pool.kysely,
    { day, everyone: true },
    async () => undefined,
    begun + ms,
  )
  return { charged, ms: performance.now() - begun, more: unfinished }
}

const cost = ({ ms, charged }: Turn) => (ms * 1000) / charged

// A busy machine may not finish; the figures cover the clients that were charged.
const turnsAtMost = 100
const small = await start(few, turnsAtMost)
const large = await start(many, 1)
const turns: { small: Turn; large: Turn }[] = []
for (let more = true; more && turns.length < turnsAtMost; ) {
  const one = await turn(small, dayOf(turns.length), sliceMs)
  const other = await turn(large, dayOf(0), sliceMs)
  more = other.more
  // The remainder at the end may be too small to measure.
  if (other.charged > few / 10) turns.push({ small: one, large: other })
}
const measured = turns.slice(Math.min(warming, turns.length - 1))
const costs = {
  small: median(measured.map((one) => cost(one.small))),
  large: median(measured.map((one) => cost(one.large))),
}
for (const side of ['small', 'large'] as const) {
  const { clients, pool } = { small, large }[side]
  const left = side === 'large' ? `; ${await dueCount(pool)} left` : ''
  console.log(
    `${String(clients).padStart(7)} clients: ${(1_000_000 / costs[side]).toFixed(0)} clients/s, ${costs[side].toFixed(0)} µs each${left}`,
  )
}
const wall = turns.reduce((sum, one) => sum + one.large.ms, 0) / 1000
const charged = turns.reduce((sum, one) => sum + one.large.charged, 0)
console.log(
  `${charged} clients with ${charged * perClient} resources in ${wall.toFixed(0)} s, which is 100 000 resources in ${((wall * 100_000) / (charged * perClient)).toFixed(1)} s`,
)
const ratio = median(measured.map((one) => cost(one.large) / cost(one.small)))
console.log(
  `ratio of the cost of one ${ratio.toFixed(2)}, at most ${flat} away from 1, of ${measured.length} turns; load average ${os.loadavg()[0]?.toFixed(1)}`,
)
const faults = await usageFaults(large.pool.kysely)
for (const fault of faults) console.log(fault)
for (const { pool, database } of [small, large]) {
  await pool.close()
  await database.stop()
}
process.exit(faults.length === 0 && (Math.abs(ratio - 1) <= flat || ratio < 1) ? 0 : 1)
