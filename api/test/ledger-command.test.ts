import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { grantPromo } from '#money/ledger/credit.ts'
import { deposit } from '#money/ledger/deposits.ts'
import { makeAccount } from './support/account.ts'
import { testDatabase } from './support/database.ts'
import { used } from './support/money.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { connection, pool } = await testDatabase(2)
const db = pool.kysely

/** Runs `npm run ledger:verify` on this file's database. */
function verify(): { status: number | null; said: string[] } {
  const { host = '', port = 5432, user = '', database } = connection
  const { status, stdout, stderr } = spawnSync(process.execPath, ['api/src/commands/ledger-verify.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    },
  })
  return { status, said: (stdout + stderr).trim().split('\n') }
}

test('the command says that sound books are sound, and fails with each place where others are not', async () => {
  const account = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  const { id: clientId } = account
  const on = '2026-10-05'
  const about = { clientId, currency: 'USD', on }
  await deposit(db, { ...about, key: 'paid', net: '7', means: 'bank' })
  await grantPromo(db, { ...about, key: 'given', amount: '2' })
  await used(db, account, [on], '3')
  expect(verify()).toEqual({ status: 0, said: ['0 differences'] })

  await db.transaction().execute(async (tx) => {
    // As an operator could who switches the rules off.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update account_balances set account_balance = 60 where client_id = ${clientId}`.execute(tx)
    await sql`update usages set charged_amount = 4 where client_id = ${clientId}`.execute(tx)
    await sql`update usage_charges set from_credit = 0 where client_id = ${clientId}`.execute(tx)
  })
  expect(verify()).toEqual({
    status: 1,
    said: [
      `what a client holds: client ${clientId} has 60.000000 and 0.000000, the entries make it 6.000000 and 0.000000`,
      `charges of a day: client ${clientId}, ${on} has 4.000000, the entries make it 3.000000`,
      `posting of a charge: charge ${clientId}, ${on}, 1 has 3.000000, 0.000000 of credit, the entries make it 3.000000, 2.000000 of credit`,
      '3 differences',
    ],
  })
})
