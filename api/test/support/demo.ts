import pg from 'pg'
import { inject } from 'vitest'
import { seedDemo } from '#demo/seed.ts'
import { createAccount } from '#identity/accounts.ts'
import { hashPassword } from '#identity/crypto.ts'
import { paymentsOf } from '#money/payments/payments.routes.ts'
import { systemClock } from '#platform/clock.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { Pool } from '#platform/db/pool.ts'
import { allowedHosts } from '#platform/egress.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { ensureBuiltInSecret } from '#workspaces/engines/registry.ts'
import { simulatedDay } from '#workspaces/engines/simulated/usage-figures.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { testVault } from './mail.ts'
import { cloneDatabase, dropDatabase } from './postgres.ts'
import { tokenSecret } from './secret.ts'

const demo = 'demo_template'
const making = 'demo_in_the_making'
// Any fixed number will do, as long as it differs from those of other locks.
const lockKey = 7_067_842_311

async function seed(connection: Connection): Promise<void> {
  const pool = new Pool(connection, 4, () => undefined)
  const engines = engineAdapters({
    clock: systemClock,
    publicUrl: 'http://localhost',
    allowed: allowedHosts([]),
  })
  const settings = { stripe: undefined, publicUrl: 'http://localhost:3000' }
  const payments = paymentsOf(settings, { pool, clock: systemClock, secret: tokenSecret })
  await ensureBuiltInSecret({ db: pool.kysely, vault: testVault })
  await seedDemo({
    pool,
    clock: systemClock,
    vault: testVault,
    engines,
    payments,
    useOfDay: simulatedDay,
    keepFile: async () => undefined,
    hashPassword,
    createAccount,
  })
  await engines.close()
  await pool.close()
}

/** Seeds once for the whole run: the past of the demo takes seconds, and a copy of it a tenth of one. */
async function seeded(server: Connection): Promise<void> {
  await withClient(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [demo])
    if (rowCount) return
    await dropDatabase(server, making)
    await seed(await cloneDatabase(server, making))
    await client.query(`alter database ${pg.escapeIdentifier(making)} rename to ${pg.escapeIdentifier(demo)}`)
  })
}

/** As `testDatabase`, with the people of the demo and their past, by today's clock. */
export async function demoDatabase(): Promise<TestDatabase> {
  await seeded(inject('postgres'))
  return testDatabase(10, demo)
}
