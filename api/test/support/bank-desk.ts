import { sql } from 'kysely'
import { afterEach, beforeEach, expect } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Database } from '#platform/db/pool.ts'
import { makeOperator } from './documents.ts'
import { businessTime } from './money.ts'
import { testPortal } from './portal.ts'
import { leaveOtherDays } from './statements.ts'
import { makeAdmin } from './ticket.ts'

/** A portal on 20 March 2026 whose operator has a bank account in USD, and two staff of a role who import statements. */
export async function bankDesk(role: 'billing' | 'admin' = 'billing') {
  const portal = await testPortal()
  const { pool } = portal
  const db = pool.kysely
  await businessTime(pool, '2026-03-20T10:00:00Z')
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
  const [own, other] = [await makeAdmin(pool, role), await makeAdmin(pool, role)]
  return { portal, pool, db, own, importer: portal.staff(own), colleague: portal.staff(other) }
}

/** What the suspense account holds that is in no open line. */
async function unexplained(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ rest: number }>`select (
      (select coalesce(sum(e.amount), 0) from ledger_entries e
        join ledger_accounts a on a.id = e.account_id where a.kind = 'suspense')
      - (select coalesce(sum(amount), 0) from bank_lines where state = 'open'))::float as rest`.execute(db)
  return rows[0]?.rest
}

/** Before each test no line waits, and none is of its days; after it the ledger and the suspense account agree with the lines. */
export function checkSuspense(db: Database): void {
  let before: number | undefined
  beforeEach(async () => {
    await sql`update bank_lines set state = 'ignored' where state in ('open', 'doubtful')`.execute(db)
    await leaveOtherDays(db)
    before = await unexplained(db)
  })
  afterEach(async () => {
    expect(await verifyLedger(db)).toEqual([])
    expect(await unexplained(db)).toBe(before)
  })
}
