import { sql } from 'kysely'
import { isRefused } from '#money/invoices/documents/refused.ts'
import { isOfRefused, isTakenBack } from '#money/tax-office/collect.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

/**
 * SQL: whether a document i has no electronic invoice that counts: none, or a rejected one. After a change of the system in use,
 * the file that the real office has, may have, or rejected, is not replaced for the test system.
 */
const isWithout = sql<boolean>`(exists (select from invoices where invoices.id = i.id and ${isRefused})
  and not exists (select from e_invoices e where e.invoice_id = i.id and e.environment = 'prod'
    and (e.state in ('sending', 'sent', 'accepted', 'unknown') or e.state = 'rejected' and not exists (
      select from tax_offices o where o.environment = e.environment and o.in_use))))`

/** SQL: whether the electronic invoice of a document i may be made again. */
export const isRemakable = sql<boolean>`(${isWithout} and not ${isTakenBack} and not ${isOfRefused})`

/** Throws `einvoice_not_rejected`, `einvoice_taken_back`, `einvoice_of_refused`. */
export async function assertRemakable(db: Database, id: number): Promise<void> {
  const { rows } = await sql<{ without: boolean; taken_back: boolean; of_refused: boolean }>`
    select ${isWithout} as without, ${isTakenBack} as taken_back, ${isOfRefused} as of_refused
    from invoices i where i.id = ${id}`.execute(db)
  const [found] = rows
  if (!found?.without) throw refuse('einvoice_not_rejected')
  if (found.taken_back) throw refuse('einvoice_taken_back')
  if (found.of_refused) throw refuse('einvoice_of_refused')
}
