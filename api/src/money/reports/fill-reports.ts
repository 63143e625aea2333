import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { setForTransaction } from '#platform/db/settings.ts'
import { fillDocuments } from './document-days.ts'

// The last day of a month long ago is computed back from today.
const longestDay = '10min'

/** Computes the newest stale day; returns whether there was one. A day that another process computes is left to it. */
async function fillOne(db: Database): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await setForTransaction(tx, 'statement_timeout', longestDay)
    const { rows } = await sql<{ day: string }>`
      select d.day::text as day from (select day from report_days where stale order by day desc limit 1 for update skip locked) d,
        lateral (select report_day(d.day)) x`.execute(tx)
    for (const { day } of rows) await fillDocuments(tx, day)
    return rows.length > 0
  })
}

/**
 * Computes the figures of every day that is new or has changed, the newest first. It can be interrupted and repeated.
 */
export async function fillReports(db: Database): Promise<void> {
  await sql`select report_mark()`.execute(db)
  while (await fillOne(db));
}
