import { sql } from 'kysely'
import { makeOperator } from './documents.ts'
import { businessTime } from './money.ts'
import { testPortal } from './portal.ts'
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
