import { sql } from 'kysely'
import { type Difference, verifyLedger } from '#money/ledger/verify.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'

// Enough to begin with; the log, or asking again, has all.
const namedInAlert = 20

/**
 * Compares the books with what follows from them, tells each difference as a sentence, and leaves each comparison that
 * fails to staff as an alert. Answers how many differences there are.
 */
export async function checkLedger(db: Database, tell: (sentence: string) => void): Promise<number> {
  const differences = await verifyLedger(db)
  for (const { what, place, found, expected } of differences)
    tell(`${what}: ${place} has ${found ?? 'nothing'}, the entries make it ${expected ?? 'nothing'}`)
  for (const [what, some] of Map.groupBy(differences, (one: Difference) => one.what)) {
    const places = some.slice(0, namedInAlert).map(({ place }) => place)
    await alertStaff(db, what, 'ledger_differs', { differences: some.length, places })
  }
  return differences.length
}

/** As `checkLedger`, of the billing log, which follows from the books unless somebody wrote it by hand. */
export async function checkBillingLog(db: Database, tell: (sentence: string) => void): Promise<void> {
  const { rows } = await sql<{ differences: number; clients: number[] }>`
    select sum(n)::int as differences, to_jsonb((array_agg(client_id order by client_id))[:${sql.lit(namedInAlert)}]) as clients
    from (select client_id, count(*) as n from billing_log_differences group by client_id) d having count(*) > 0`.execute(
    db,
  )
  for (const found of rows) {
    tell(`The billing log differs from the books in ${found.differences} rows.`)
    await alertStaff(db, 'billing log', 'billing_log_differs', found)
  }
}
