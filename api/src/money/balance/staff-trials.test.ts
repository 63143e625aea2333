import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { migrate } from '#platform/db/migrate.ts'
import type { Database } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { testVault } from '#test/support/mail.ts'
import { person } from '#test/support/people.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { evaluateBalances } from './balances.ts'
import { grantEnding } from './trial.ts'

const { pool, connection } = await testDatabase(4, 'template1')
const db = pool.kysely
const all = path.resolve(import.meta.dirname, '../../platform/db/migrations')

/** Migrates to what the schema was before a migration. */
async function migrateBefore(number: string): Promise<void> {
  const { folder, remove } = temporaryFolder()
  for (const name of fs.readdirSync(all).filter((name) => name < number))
    fs.copyFileSync(path.join(all, name), path.join(folder, name))
  await migrate(connection, { folder })
  remove()
}

/** Starts a trial as the version before did. */
async function startTrial(tx: Database, id: number): Promise<void> {
  await sql`update clients set trial_ends_at = clock_now() + interval '14 days' where id = ${id}`.execute(tx)
  await sql`insert into client_features (client_id, feature, enabled) values (${id}, 'trial', true)`.execute(
    tx,
  )
  const { rows } = await sql<{ expiresOn: string }>`select clock_today() + 15 as "expiresOn"`.execute(tx)
  await grantEnding(tx, id, { amount: '20.00', key: `trial:${id}`, expiresOn: rows[0]?.expiresOn ?? '' })
}

const trialOf = async (client: number) => {
  const { rows } = await sql<Record<string, unknown>>`
    select c.trial_ends_at is not null as runs, f.enabled as feature, b.credit_balance::float8 as credit,
      (select count(*)::int from promo_grants g where g.client_id = c.id and g.ended_on is null) as grants
    from clients c join client_features f on f.client_id = c.id and f.feature = 'trial'
    join account_balances b on b.client_id = c.id where c.id = ${client}`.execute(db)
  return rows[0]
}

test('staff of before lose their trial and its credit with the migration, and customers keep theirs', async () => {
  await migrateBefore('0047')
  await installJobs(connection)
  const [staff, customer] = [await person(pool, 'staff@example.test'), await person(pool, 'ana@example.test')]
  for (const { id } of [staff, customer]) await db.transaction().execute((tx) => startTrial(tx, id))
  await sql`insert into admins (email, display_name, role, totp_required, auth_id)
    values (${staff.email}, 'Sorin', 'support', false, ${staff.accountId})`.execute(db)
  const running = { runs: true, feature: true, credit: expect.any(Number), grants: 1 }
  expect([await trialOf(staff.id), await trialOf(customer.id)]).toEqual([running, running])
  expect((await trialOf(customer.id))?.credit).toBeGreaterThan(0)

  // As it is some minutes after the trial began.
  await sql`update account_balances set evaluate_due = false`.execute(db)
  expect(await migrate(connection)).toContain('0047-staff-notices')
  const outside = { pool, clock: systemClock, vault: testVault, engines: only(new TestEngine()) }
  await evaluateBalances(outside, { byTime: false })
  expect(await trialOf(staff.id)).toEqual({ runs: false, feature: false, credit: 0, grants: 0 })
  expect(await trialOf(customer.id)).toEqual(running)
})
