import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { countedHours, differences, live, rated, wrongQuotes } from '#test/support/plan-months.ts'
import { makeWorld } from '#test/support/plan-world.ts'
import { wish } from '#test/support/wish.ts'
import { rateUsage } from './charging.ts'

const { pool } = await testDatabase()
const db = pool.kysely
// `npm run chaos:plans` runs this for longer. CHAOS_SEED repeats a run.
const seed = wish('CHAOS_SEED', Date.now() % 2 ** 31)

test('random months cost what a loop by hour says, and each change what was quoted', async () => {
  const world = await makeWorld(pool, seed, wish('CHAOS_PANELS', 16))
  const quotes = await live(pool, world, { often: 0.3, seed })
  expect(await differences(db, world), `CHAOS_SEED=${seed}`).toEqual([])
  expect(wrongQuotes(world, quotes), `CHAOS_SEED=${seed}`).toEqual([])
  expect(await countedHours(db)).toBeGreaterThan(1000)
  expect(quotes.length).toBeGreaterThan(0)
  // Fed again, nothing changes; rated again from the start, everything costs the same.
  const { rows } = await sql<{
    changed: number
  }>`select plan_feed(array(select id from panels), '2025-01-01', (clock_now()
    at time zone 'utc')::date, clock_now()) as changed`.execute(db)
  expect(rows).toEqual([{ changed: 0 }])
  const before = await rated(db)
  await sql`update usage_meter_days set dirty = true`.execute(db)
  await rateUsage(db)
  expect(await rated(db)).toEqual(before)
})
