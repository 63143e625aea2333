import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { dueCount, Fire, fillDue } from './support/charge-fire.ts'
import { testDatabase } from './support/database.ts'
import { runSeed } from './support/sweep.ts'
import { temporaryFolder } from './support/temporary.ts'
import { usageFaults } from './support/usage-invariants.ts'
import { seeded, Workload } from './support/usage-workload.ts'
import { wish } from './support/wish.ts'

// `npm run chaos` runs this for longer.

const { folder, remove } = temporaryFolder()
// Commits survive a crash of the processes without fsync; only a power failure would lose them.
const server = await startEmbedded({ dataDir: folder, settings: { fsync: 'off' } })
const pool = new Pool(server.connection, 4, () => undefined)
afterAll(async () => {
  await pool.close()
  await server.stop()
  remove()
})
await migrate(server.connection)
await installJobs(server.connection)
// This database is not crashed.
const calm = await testDatabase(4)

/** Stops PostgreSQL as `pg_ctl stop -m immediate` does, without finishing anything. */
function crash(): void {
  const pid = server.postmaster()
  if (pid !== undefined) process.kill(pid, 'SIGQUIT')
}

test('a random month is counted, rated and charged exactly, though the database ends in the middle', async () => {
  const months = { seed: runSeed, stepsPerDay: 250 }
  const steps = wish('CHAOS_STEPS', 1000)
  const random = seeded(runSeed)
  const crashes = new Set([3, 9])
  let written = 0
  const workload = new Workload(pool, {
    ...months,
    before: () => {
      if (!crashes.has(++written)) return
      setTimeout(crash, random() * 60)
    },
  })
  await workload.prepare(4)
  await workload.run(steps)
  expect(await usageFaults(pool.kysely), `TEST_SEED=${runSeed}`).toEqual([])
  expect(await dueCount(pool)).toBe(0)
  const again = new Workload(calm.pool, months)
  await again.prepare(4)
  await again.run(steps)
  expect(await again.digest(), `TEST_SEED=${runSeed}`).toBe(await workload.digest())
}, 120_000)

test('with charging processes and database killed again and again, every client is charged once', async () => {
  const days = ['2026-02-01', '2026-02-02']
  const clients = 800
  await fillDue(pool, { clients, days, seed: runSeed })
  const fire = new Fire(server.connection, 4)
  const random = seeded(runSeed)
  try {
    await fire.start(4)
    while (fire.kills < 8 && (await dueCount(pool)) > 100) {
      if (fire.kills === 4) crash()
      await fire.kill(100 * random())
    }
    // The surviving process charges the rest.
    await expect.poll(() => dueCount(pool), { timeout: 60_000 }).toBe(0)
  } finally {
    await fire.end()
  }
  expect(fire.kills).toBeGreaterThan(4)
  expect(await usageFaults(pool.kysely), `TEST_SEED=${runSeed}`).toEqual([])
  const { rows } = await sql`select sum(rated_amount) = sum(charged_amount) as charged,
      sum(charged_amount) = ${clients} * 0.01 - (select sum(account_balance + credit_balance) from account_balances b
        join clients c on c.id = b.client_id where c.first_name = 'Due') as moved
    from usage_client_days where usage_on = any(${days}::date[])`.execute(pool.kysely)
  expect(rows).toEqual([{ charged: true, moved: true }])
  expect(
    (
      await sql`select 1 from usage_charges where usage_on = any(${days}::date[]) and seq > 1`.execute(
        pool.kysely,
      )
    ).rows,
  ).toEqual([])
}, 120_000)
