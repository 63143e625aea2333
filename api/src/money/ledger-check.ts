import { type ledgerComparisons, mostDifferencesListed } from '@portico/contract/resources/ledger-checks.ts'
import { sql } from 'kysely'
import { type Difference, verifyLedger } from '#money/ledger/verify.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'

/** A difference whose comparison the data API names. */
type Listed = Difference & { readonly what: (typeof ledgerComparisons)[number] }

// The alert lists only this many; the log, or a repeated check, has all.
const namedInAlert = 20

/**
 * Verifies the ledger against the data derived from it, passes each difference as a sentence to `tell`, and
 * alerts staff about each failed comparison. Returns the differences.
 */
export async function checkLedger(db: Database, tell: (sentence: string) => void): Promise<Difference[]> {
  const differences = await verifyLedger(db)
  for (const { what, place, found, expected } of differences)
    tell(`${what}: ${place} has ${found ?? 'nothing'}, the entries make it ${expected ?? 'nothing'}`)
  for (const [what, some] of Map.groupBy(differences, (one: Difference) => one.what)) {
    const places = some.slice(0, namedInAlert).map(({ place }) => place)
    await alertStaff(db, what, 'ledger_differs', { differences: some.length, places })
  }
  return differences
}

/**
 * Like `checkLedger`, and keeps the result for the desk: in the verification that somebody asked for, or in another one. The
 * one that was asked for is recorded as failed when it could not be made.
 */
export async function keepLedgerCheck(
  db: Database,
  checkId: number | undefined,
  tell: (sentence: string) => void,
): Promise<void> {
  try {
    const differences = await checkLedger(db, tell)
    const listed: readonly Listed[] = differences.slice(0, mostDifferencesListed)
    const found = JSON.stringify(listed)
    const result = { status: 'done', differences: differences.length, found, finished_at: sql<string>`now()` }
    if (checkId === undefined) await db.insertInto('ledger_checks').values(result).execute()
    else await db.updateTable('ledger_checks').set(result).where('id', '=', checkId).execute()
  } catch (error) {
    if (checkId !== undefined)
      await sql`update ledger_checks set status = 'failed', finished_at = now()
        where id = ${checkId} and status = 'waiting'`.execute(db)
    throw error
  }
}

/** Like `checkLedger`, for the billing log, which is derived from the ledger. */
export async function checkBillingLog(db: Database, tell: (sentence: string) => void): Promise<void> {
  const { rows } = await sql<{ differences: number; clients: number[] }>`
    select sum(n)::int as differences, to_jsonb((array_agg(client_id order by client_id))[:${sql.lit(namedInAlert)}]) as clients
    from (select client_id, count(*) as n from billing_log_differences group by client_id) d having count(*) > 0`.execute(
    db,
  )
  for (const found of rows) {
    tell(`The billing log differs from the ledger in ${found.differences} rows.`)
    await alertStaff(db, 'billing log', 'billing_log_differs', found)
  }
}
